// What a program prints: its lines while it starts, and the end of its output for messages.
import type { Readable } from "node:stream";

/** Bytes to keep of each stream. */
const keptBytes = 8_000;
/** Characters to keep of a line that has not ended. */
const mostLine = 65_536;
/** Characters of its output in a message. */
const shownText = 200;

/** The end of a stream. Chunks stay as they come, because a server may log each call. */
class Tail {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= keptBytes) this.#bytes -= this.#chunks.shift()?.length ?? 0;
  }

  get lines(): readonly string[] {
    const text = Buffer.concat(this.#chunks).subarray(-keptBytes).toString();
    return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  }
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
  readonly #printed = new Tail();
  readonly #errors = new Tail();
  #onLine: ((line: string) => void) | undefined;

  /** @param onLine called with each line of both streams, until {@link ignoreLines}. */
  constructor(stdout: Readable, stderr: Readable, onLine: (line: string) => void) {
    this.#onLine = onLine;
    this.#read(stdout, this.#printed);
    this.#read(stderr, this.#errors);
  }

  ignoreLines(): void {
    this.#onLine = undefined;
  }

  /** Empty if nothing was printed. */
  get lastLine(): string {
    return shown(this.#errors.lines.at(-1) ?? this.#printed.lines.at(-1));
  }

  /** The line with an error; otherwise the last of the error output. Empty if there is none. */
  get errorLine(): string {
    const [errors, printed] = [this.#errors.lines, this.#printed.lines];
    return shown(namedError(errors) ?? namedError(printed) ?? errors.at(-1));
  }

  get reportsTakenPort(): boolean {
    const lines = [...this.#errors.lines, ...this.#printed.lines];
    return lines.some((line) => /EADDRINUSE|(address|port \d+)\b.{0,20} already in use/i.test(line));
  }

  /** Reads to the end, so that the program does not block on a full pipe. */
  #read(stream: Readable, tail: Tail): void {
    let rest = "";
    stream.on("data", (chunk: Buffer) => {
      tail.add(chunk);
      if (this.#onLine === undefined) return;
      const lines = (rest + chunk.toString()).split("\n");
      rest = (lines.pop() ?? "").slice(-mostLine);
      for (const line of lines) this.#onLine?.(line);
    });
  }
}
