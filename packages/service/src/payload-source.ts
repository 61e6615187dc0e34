// The bytes that downloads are made of: made once, so that a call costs what it takes to send them.
import { incompressibleBytes } from "@roundtrip/contract";

/** The largest chunk that a download may have. */
const maxChunkBytes = 1024 * 1024;

/** Bytes come round again after so many: further apart than gzip, or brotli as servers have it, look back. */
const periodBytes = 4 * 1024 * 1024;

const seed = 1;

/** Chunks of at most 1 MiB are views of one block of memory. */
export class PayloadSource {
  readonly #bytes: Uint8Array;

  constructor() {
    this.#bytes = new Uint8Array(periodBytes + maxChunkBytes);
    const period = incompressibleBytes(periodBytes, seed);
    this.#bytes.set(period);
    // A chunk that begins at the end of the period is whole too.
    this.#bytes.set(period.subarray(0, maxChunkBytes), periodBytes);
  }

  /** The first bytes, in chunks of this size and a last one that is smaller. */
  *chunks(sizeBytes: number, chunkBytes: number): Generator<Uint8Array> {
    for (let at = 0; at < sizeBytes; at += chunkBytes) {
      const start = at % periodBytes;
      yield this.#bytes.subarray(start, start + Math.min(chunkBytes, sizeBytes - at));
    }
  }
}
