// Writes a stream of messages no faster than the other end reads: writers wait while too many bytes are buffered.
import type { Writable } from "node:stream";
import { prefixBytes } from "@roundtrip/styles/grpc/server";

/** The high-water mark of a Node.js socket. grpc-js counts messages, not bytes. */
const maxBytesUnderWay = 64 * 1024;

export class PacedWriter {
  readonly #stream: Writable;
  readonly #signal: AbortSignal;
  #bytesUnderWay = 0;
  #limitBytes = maxBytesUnderWay;
  #onTaken: (() => void) | undefined;

  /** @param signal ends all waiting: grpc-js does not report on messages of a call that has ended. */
  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
  }

  /** Resolves when the next message may be written; returns undefined if it may be at once. Rejects with the signal's reason. */
  write(message: Uint8Array): Promise<void> | undefined {
    // The prefix makes empty messages count too.
    const bytes = message.length + prefixBytes;
    this.#bytesUnderWay += bytes;
    this.#stream.write(message, () => {
      this.#bytesUnderWay -= bytes;
      if (this.#bytesUnderWay < this.#limitBytes) this.#onTaken?.();
    });
    return this.#bytesUnderWay < maxBytesUnderWay ? undefined : this.#whenBelow(maxBytesUnderWay);
  }

  /** Resolves when everything is written; rejects with the signal's reason. Do not write meanwhile. */
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
