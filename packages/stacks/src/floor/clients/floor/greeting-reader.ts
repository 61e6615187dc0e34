// Reads the first bytes of a server, which distinguish a floor from a server of another protocol.
import { closingGreeting, greeting } from "../../frames.ts";

/** Maximum time until the greeting has arrived, connecting included. */
export const greetingLimitMs = 5_000;

const closingText = closingGreeting.toString("latin1");
const texts = [greeting.toString("latin1"), closingText];

export class GreetingReader {
  readonly #timer: NodeJS.Timeout;
  #heard = "";

  /** @param onLate called when the greeting does not arrive in time. */
  constructor(onLate: (error: Error) => void) {
    const late = new Error(`not a Roundtrip floor, no greeting within ${greetingLimitMs / 1000} s`);
    this.#timer = setTimeout(() => onLate(late), greetingLimitMs);
  }

  get isDone(): boolean {
    return this.#heard.length === greeting.length;
  }

  /** Whether the server asks to close the connection after the current calls. */
  get isClosing(): boolean {
    return this.#heard === closingText;
  }

  /** Returns the bytes after the greeting. Throws for anything but a greeting. */
  read(chunk: Buffer): Buffer {
    const bytes = greeting.length - this.#heard.length;
    this.#heard += chunk.toString("latin1", 0, bytes);
    if (!texts.some((text) => text.startsWith(this.#heard))) throw new Error("the server is not a Roundtrip floor");
    if (this.isDone) this.stop();
    return chunk.subarray(bytes);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
