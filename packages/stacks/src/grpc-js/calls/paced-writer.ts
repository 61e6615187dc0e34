// Writing a stream of messages no faster than the other end reads: who writes waits while too many bytes are under way.
import type { Writable } from "node:stream";

/** As much as Node.js holds back for a socket before it says so; grpc-js counts messages only, whatever their size. */
const maxBytesUnderWay = 64 * 1024;

/** What gRPC puts before each message; so that empty messages count too. */
const prefixBytes = 5;

/** Writes messages to one stream of grpc-js. */
export class PacedWriter {
  readonly #stream: Writable;
  readonly #signal: AbortSignal;
  #bytesUnderWay = 0;
  #onRoom: (() => void) | undefined;

  /** @param signal ends all waiting: grpc-js never says what became of messages of a call that is over. */
  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
  }

  /** Resolves when the next message may be written, undefined when it may be at once; rejects with the signal's reason. */
  write(message: Uint8Array): Promise<void> | undefined {
    const bytes = message.length + prefixBytes;
    this.#bytesUnderWay += bytes;
    this.#stream.write(message, () => {
      this.#bytesUnderWay -= bytes;
      if (this.#bytesUnderWay < maxBytesUnderWay) this.#onRoom?.();
    });
    return this.#bytesUnderWay < maxBytesUnderWay ? undefined : this.#room();
  }

  #room(): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(this.#signal.reason as Error);
      this.#onRoom = () => {
        this.#onRoom = undefined;
        this.#signal.removeEventListener("abort", onAbort);
        resolve();
      };
      if (this.#signal.aborted) onAbort();
      else this.#signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
