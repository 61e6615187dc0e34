// Answers to echoes: only their length matters, so one buffer per length serves every connection.
import { answerFrame } from "../../frames.ts";

/** Bytes kept at most: a few studies' worth of response sizes. */
const maxKeptBytes = 32 * 1024 * 1024;

export class EchoAnswers {
  readonly #byLength = new Map<number, Buffer>();
  #keptBytes = 0;
  #limitBytes: number;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The longest echo that anybody may ask for: nobody gets more than has been answered, or may be asked. */
  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** An answer of this length has been given, and may be echoed from now on. */
  allow(bytes: number): void {
    this.#limitBytes = Math.max(this.#limitBytes, bytes);
  }

  /** An answer of this many bytes, never to be written to. */
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
