// Reads what a server says first, and tells a floor from anything else that listens: whoever speaks another protocol, or none.
import { greeting } from "./frames.ts";

/** How long a floor may take to greet, connecting included. */
export const greetingLimitMs = 5_000;

export class GreetingReader {
  readonly #timer: NodeJS.Timeout;
  #bytesRead = 0;

  /** @param onLate called when the greeting has not come in time. */
  constructor(onLate: (error: Error) => void) {
    const late = new Error(`nothing there greets as a floor within ${greetingLimitMs / 1000} s`);
    this.#timer = setTimeout(() => onLate(late), greetingLimitMs);
  }

  get isDone(): boolean {
    return this.#bytesRead === greeting.length;
  }

  /** What of the chunk comes after the greeting. Throws for anything else than a greeting. */
  read(chunk: Buffer): Buffer {
    const wanted = greeting.subarray(this.#bytesRead, this.#bytesRead + chunk.length);
    const heard = chunk.subarray(0, wanted.length);
    if (!heard.equals(wanted)) throw new Error("what listens there is no floor");
    this.#bytesRead += heard.length;
    if (this.isDone) this.stop();
    return chunk.subarray(heard.length);
  }

  /** Waits no longer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
