// Reads the first bytes of a server, which distinguish a floor from a server of another protocol.
import { closingGreeting, greeting } from "../../frames.ts";

/** How long a floor may take to greet, connecting included. */
export const greetingLimitMs = 5_000;

const closingText = closingGreeting.toString("latin1");
const texts = [greeting.toString("latin1"), closingText];

export class GreetingReader {
  readonly #timer: NodeJS.Timeout;
  #heard = "";

  /** @param onLate called when the greeting has not come in time. */
  constructor(onLate: (error: Error) => void) {
    const late = new Error(`nothing there greets as a floor within ${greetingLimitMs / 1000} s`);
    this.#timer = setTimeout(() => onLate(late), greetingLimitMs);
  }

  get isDone(): boolean {
    return this.#heard.length === greeting.length;
  }

  /** Whether the server asks for the connection to be closed after the calls that are on it. */
  get isClosing(): boolean {
    return this.#heard === closingText;
  }

  /** What of the chunk comes after the greeting. Throws for anything else than a greeting. */
  read(chunk: Buffer): Buffer {
    const bytes = greeting.length - this.#heard.length;
    this.#heard += chunk.toString("latin1", 0, bytes);
    if (!texts.some((text) => text.startsWith(this.#heard))) throw new Error("the server is not a Roundtrip floor");
    if (this.isDone) this.stop();
    return chunk.subarray(bytes);
  }

  /** Waits no longer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
