// What a program prints: its lines while it starts, and the end of its output for messages.
import type { Readable } from "node:stream";

/** Characters to keep of each stream. */
const kept = 8_000;
/** Characters to keep of a line that has not ended. */
const mostLine = 65_536;
/** Characters of its output in a message. */
const shownText = 200;

function linesOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function shown(line: string | undefined): string {
  if (line === undefined) return "";
  return line.length > shownText ? `${line.slice(0, shownText)}…` : line;
}

/** The last line with an error, in any language. */
function namedError(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => /^[\w.]*(error|exception|panic|fatal)\b/i.test(line));
}

export class ProgramOutput {
  #printed = "";
  #errors = "";
  #onLine: ((line: string) => void) | undefined;

  /** @param onLine called with each line of both streams, until {@link ignoreLines}. */
  constructor(stdout: Readable, stderr: Readable, onLine: (line: string) => void) {
    this.#onLine = onLine;
    this.#read(stdout, (text) => (this.#printed = (this.#printed + text).slice(-kept)));
    this.#read(stderr, (text) => (this.#errors = (this.#errors + text).slice(-kept)));
  }

  ignoreLines(): void {
    this.#onLine = undefined;
  }

  /** Empty if nothing was printed. */
  get lastLine(): string {
    return shown(linesOf(this.#errors).at(-1) ?? linesOf(this.#printed).at(-1));
  }

  /** The line with an error; otherwise the last of the error output. Empty if there is none. */
  get errorLine(): string {
    const [errors, printed] = [linesOf(this.#errors), linesOf(this.#printed)];
    return shown(namedError(errors) ?? namedError(printed) ?? errors.at(-1));
  }

  get reportsTakenPort(): boolean {
    return /EADDRINUSE|(address|port \d+)\b.{0,20} already in use/i.test(`${this.#errors}\n${this.#printed}`);
  }

  /** Reads to the end, so that the program does not block on a full pipe. */
  #read(stream: Readable, keep: (text: string) => void): void {
    let rest = "";
    stream.on("data", (chunk: Buffer) => {
      keep(chunk.toString());
      if (this.#onLine === undefined) return;
      const lines = (rest + chunk.toString()).split("\n");
      rest = (lines.pop() ?? "").slice(-mostLine);
      for (const line of lines) this.#onLine?.(line);
    });
  }
}
