// The payload service: echoes payloads, sends downloads in chunks, and counts uploads.
import { create } from "@bufbuild/protobuf";
import { CallError, handlersOf, incompressibleBytes, type Handlers } from "@roundtrip/contract";
import {
  DownloadResponseSchema,
  EchoResponseSchema,
  PayloadService,
  UploadResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { crc32 } from "node:zlib";

const defaultChunkBytes = 64 * 1024;
const maxUploadBytes = 16 * 1024 * 1024;

/** The maximum chunk size of a download. */
const maxChunkBytes = 1024 * 1024;

/** The period of the bytes. It is larger than the windows of gzip, and of brotli with the settings of servers. */
const periodBytes = 4 * 1024 * 1024;

const seed = 1;

/** The bytes of downloads, made once, so that a call costs only the time to send them. Chunks of at most 1 MiB are views of one block of memory. */
class PayloadSource {
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

/** The handlers of PayloadService. The payload is made with the first download. */
export function payloadHandlers(): Handlers {
  let source: PayloadSource | undefined;
  return handlersOf(PayloadService, {
    echo: ({ text, data }) => create(EchoResponseSchema, { text, data }),
    // oxlint-disable-next-line require-await
    async *download({ sizeBytes, chunkBytes }) {
      source ??= new PayloadSource();
      for (const data of source.chunks(sizeBytes, chunkBytes === 0 ? defaultChunkBytes : chunkBytes)) {
        yield create(DownloadResponseSchema, { data });
      }
    },
    async upload(requests) {
      let sizeBytes = 0;
      let checksum = 0;
      for await (const { data } of requests) {
        sizeBytes += data.length;
        if (sizeBytes > maxUploadBytes) {
          throw new CallError("RESOURCE_EXHAUSTED", `an upload must be at most ${maxUploadBytes} bytes`);
        }
        checksum = crc32(data, checksum);
      }
      return create(UploadResponseSchema, { sizeBytes, crc32: checksum });
    },
  });
}
