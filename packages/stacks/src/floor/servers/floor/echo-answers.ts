// Answers to echoes. Only their length matters, so all connections share one buffer per length.
import { answerFrame } from "../../frames.ts";

/** Maximum number of bytes to keep: enough for the response sizes of a few studies. */
const maxKeptBytes = 32 * 1024 * 1024;

export class EchoAnswers {
  readonly #byLength = new Map<number, Buffer>();
  #keptBytes = 0;
  #limitBytes: number;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The maximum length of an echo: that of a message, or the longest answer so far. */
  get limitBytes(): number {
    return this.#limitBytes;
  }

  allow(bytes: number): void {
    this.#limitBytes = Math.max(this.#limitBytes, bytes);
  }

  /** An answer of this many bytes. Do not write to it. */
  of(bytes: number): Buffer {
    const known = this.#byLength.get(bytes);
    if (known !== undefined) return known;
    const answer = answerFrame(Buffer.alloc(bytes), false);
    if (this.#keptBytes + answer.length > maxKeptBytes) {
      this.#byLength.clear();
      this.#keptBytes = 0;
    }
    this.#byLength.set(bytes, answer);
    this.#keptBytes += answer.length;
    return answer;
  }
}
