// The bytes of downloads, made once, so that a call costs only the time to send them.
import { incompressibleBytes } from "@roundtrip/contract";

/** The maximum chunk size of a download. */
const maxChunkBytes = 1024 * 1024;

/** The period of the bytes. It is larger than the windows of gzip, and of brotli with the settings of servers. */
const periodBytes = 4 * 1024 * 1024;

const seed = 1;

/** Chunks of at most 1 MiB are views of one block of memory. */
export class PayloadSource {
  readonly #bytes: Uint8Array;

  constructor() {
    this.#bytes = new Uint8Array(periodBytes + maxChunkBytes);
    const period = incompressibleBytes(periodBytes, seed);
    this.#bytes.set(period);
    // The block is longer than the period, so that a chunk that starts near its end is complete.
    this.#bytes.set(period.subarray(0, maxChunkBytes), periodBytes);
  }

  /** The first bytes, in chunks of this size; the last one can be smaller. */
  *chunks(sizeBytes: number, chunkBytes: number): Generator<Uint8Array> {
    for (let at = 0; at < sizeBytes; at += chunkBytes) {
      const start = at % periodBytes;
      yield this.#bytes.subarray(start, start + Math.min(chunkBytes, sizeBytes - at));
    }
  }
}
