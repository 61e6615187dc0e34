// The payload service: echoes payloads, sends downloads in chunks, and counts uploads.
import { create } from "@bufbuild/protobuf";
import { CallError, handlersOf, type Handlers } from "@roundtrip/contract";
import {
  DownloadResponseSchema,
  EchoResponseSchema,
  PayloadService,
  UploadResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { crc32 } from "node:zlib";
import { PayloadSource } from "./payload-source.ts";

const defaultChunkBytes = 64 * 1024;
const maxUploadBytes = 16 * 1024 * 1024;

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
