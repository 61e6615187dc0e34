// Flow control of payloads: a sender waits for a slow reader, and each side learns of the other's end.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  DownloadResponseSchema,
  PayloadService,
  UploadResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual } from "../../case/expectations.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { untilBlocked, untilError } from "../../support/streams.ts";

const { download, upload } = PayloadService.method;

const chunk = new Uint8Array(64 * 1024);

/** Twice the size of all buffers between sender and reader: kernel buffers grow to some megabytes on both sides. */
const fastChunks = 1_500;

/** Chunks as long as they are read, and how many were read. */
class Chunks {
  sent = 0;

  async *endless(): AsyncGenerator<{ data: Uint8Array }> {
    while (this.sent < fastChunks) {
      this.sent += 1;
      yield { data: chunk };
      // Yields to the event loop, like a source that reads.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** One chunk, and then neither another one nor the end. */
async function* neverEnding(): AsyncGenerator<{ data: Uint8Array }> {
  yield { data: chunk };
  await new Promise(() => {});
}

/** The cases RT-1520 to RT-1539. */
export const payloadPaceCases = casesIn("payload", ["server", "payload", "serverStream"], {
  async "RT-1520 a reader that pauses makes a download pause"(run) {
    const chunks = new Chunks();
    const { stream } = await run.serve(
      someHandlersOf(PayloadService, {
        async *download() {
          for await (const init of chunks.endless()) yield create(DownloadResponseSchema, init);
        },
      }),
    );
    for await (const { data } of stream(download, [{}])) {
      expect(data.length > 0, "an empty chunk");
      await untilBlocked(() => chunks.sent, fastChunks);
      break;
    }
    expect(chunks.sent < fastChunks, `all ${chunks.sent} chunks were sent to a reader of one`);
  },
  "RT-1521 a handler that pauses makes an upload pause": needing(["server", "payload", "clientStream"], async (run) => {
    const chunks = new Chunks();
    const { stream } = await run.serve(
      someHandlersOf(PayloadService, {
        async upload(requests) {
          for await (const { data } of requests) {
            await untilBlocked(() => chunks.sent, fastChunks);
            return create(UploadResponseSchema, { sizeBytes: data.length });
          }
          return create(UploadResponseSchema);
        },
      }),
    );
    for await (const { sizeBytes } of stream(upload, chunks.endless())) expect(sizeBytes > 0, "an empty chunk");
    expect(chunks.sent < fastChunks, `all ${chunks.sent} chunks were sent to a handler that took one`);
  }),
  async "RT-1522 a download that fails in the middle ends with an error, and never looks complete"(run) {
    const { stream } = await run.serve(
      someHandlersOf(PayloadService, {
        // oxlint-disable-next-line require-await
        async *download() {
          yield create(DownloadResponseSchema, { data: chunk });
          throw new CallError("DATA_LOSS", "the disk is gone");
        },
      }),
    );
    const { items, error } = await untilError(stream(download, [{}]));
    const thrown = await error.catch((reason: unknown) => reason);
    // Raw bytes cannot carry an error code.
    const codes = ["DATA_LOSS", "UNAVAILABLE"];
    expect(thrown instanceof CallError && codes.includes(thrown.code), `failed with ${String(thrown)}`);
    const received = items.reduce((sum, { data }) => sum + data.length, 0);
    expectEqual(received, chunk.length, "bytes");
  },
  "RT-1523 an upload ends for the handler if its sender leaves in the middle": needing(
    ["server", "payload", "clientStream"],
    async (run) => {
      const begun = Promise.withResolvers<void>();
      const aborted = Promise.withResolvers<void>();
      const { stream } = await run.serve(
        someHandlersOf(PayloadService, {
          async upload(requests, { signal }) {
            signal.addEventListener("abort", () => aborted.resolve());
            try {
              for await (const _ of requests) begun.resolve();
            } finally {
              aborted.resolve();
            }
            return create(UploadResponseSchema);
          },
        }),
      );
      const controller = new AbortController();
      const sent = untilError(stream(upload, neverEnding(), { signal: controller.signal }));
      await Promise.race([begun.promise, sent]);
      controller.abort();
      const thrown = await (await sent).error.catch((reason: unknown) => reason);
      expect(thrown instanceof CallError && thrown.code === "CANCELLED", `failed with ${String(thrown)}`);
      await aborted.promise;
    },
  ),
});
