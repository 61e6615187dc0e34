// Writing a stream of messages no faster than the other end reads: who writes waits while too many bytes are under way.
import type { Writable } from "node:stream";
import { prefixBytes } from "@roundtrip/styles/grpc/server";

/** As much as Node.js holds back for a socket before it says so; grpc-js counts messages only, whatever their size. */
const maxBytesUnderWay = 64 * 1024;

/** Writes messages to one stream of grpc-js. */
export class PacedWriter {
  readonly #stream: Writable;
  readonly #signal: AbortSignal;
  #bytesUnderWay = 0;
  #limitBytes = maxBytesUnderWay;
  #onTaken: (() => void) | undefined;

  /** @param signal ends all waiting: grpc-js never says what became of messages of a call that is over. */
  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
  }

  /** Resolves when the next message may be written, undefined when it may be at once; rejects with the signal's reason. */
  write(message: Uint8Array): Promise<void> | undefined {
    // Empty messages count too.
    const bytes = message.length + prefixBytes;
    this.#bytesUnderWay += bytes;
    this.#stream.write(message, () => {
      this.#bytesUnderWay -= bytes;
      if (this.#bytesUnderWay < this.#limitBytes) this.#onTaken?.();
    });
    return this.#bytesUnderWay < maxBytesUnderWay ? undefined : this.#whenBelow(maxBytesUnderWay);
  }

  /** Resolves when nothing is under way any more; rejects with the signal's reason. Nothing is to be written meanwhile. */
  async whenOut(): Promise<void> {
    if (this.#bytesUnderWay > 0) await this.#whenBelow(1);
  }

  #whenBelow(limitBytes: number): Promise<void> {
    this.#limitBytes = limitBytes;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(this.#signal.reason as Error);
      this.#onTaken = () => {
        this.#onTaken = undefined;
        this.#signal.removeEventListener("abort", onAbort);
        resolve();
      };
      if (this.#signal.aborted) onAbort();
      else this.#signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
