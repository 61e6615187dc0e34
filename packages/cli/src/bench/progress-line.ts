// A progress line on the terminal; disabled if there is no terminal, or one that only appends text.
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";

const redrawEveryMs = 200;
const barWidth = 24;

export class ProgressLine {
  readonly #stream: WriteStream;
  readonly #enabled: boolean;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  constructor(stream: WriteStream, wanted: boolean) {
    this.#stream = stream;
    this.#enabled = wanted && stream.isTTY && process.env["TERM"] !== "dumb";
  }

  /** Shows progress, a few times a second at most. @param done share of the work, from 0 to 1. */
  show(done: number, text: string): void {
    const now = performance.now();
    if (!this.#enabled || now - this.#drawnAtMs < redrawEveryMs) return;
    this.#drawnAtMs = now;
    const filled = Math.round(done * barWidth);
    const line = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(done * 100)} %  ${text}`;
    cursorTo(this.#stream, 0);
    this.#stream.write(line.slice(0, Math.max((this.#stream.columns || 80) - 1, 20)));
    clearLine(this.#stream, 1);
  }

  clear(): void {
    if (!this.#enabled) return;
    cursorTo(this.#stream, 0);
    clearLine(this.#stream, 0);
  }
}
