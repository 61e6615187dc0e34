// Payloads at the pace of whoever is slower: nobody is sent more than buffers on the way hold, and each end hears of the other's.
import { create } from "@bufbuild/protobuf";
import { CallError } from "../../../call-error.ts";
import { DownloadResponseSchema, PayloadService, UploadResponseSchema } from "../../../gen/roundtrip/v1/payload_pb.ts";
import { casesIn } from "../../case.ts";
import { expect, expectEqual } from "../../expectations.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { untilError } from "../../support/streams.ts";

const { download, upload } = PayloadService.method;

const chunk = new Uint8Array(64 * 1024);

/** Twice as many bytes as buffers on the way may hold: those of the kernel on both ends grow to some megabytes. */
const fastChunks = 1_500;

/** Chunks for as long as somebody takes them, and how many were taken. */
class Chunks {
  sent = 0;

  async *endless(): AsyncGenerator<{ data: Uint8Array }> {
    while (this.sent < fastChunks) {
      this.sent += 1;
      yield { data: chunk };
      // Lets sockets have their turn, as a source that reads from somewhere does.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Resolves when no more are taken, or all were: on a busy machine, buffers take their time to fill. */
  async settled(): Promise<void> {
    let before = -1;
    for (let looks = 0; looks < 10 && this.sent > before && this.sent < fastChunks; looks += 1) {
      before = this.sent;
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** A chunk, and then nothing, not even the end. */
async function* neverEnding(): AsyncGenerator<{ data: Uint8Array }> {
  yield { data: chunk };
  await new Promise(() => {});
}

/** The cases RT-1520 to RT-1539. */
export const payloadPaceCases = casesIn("payload", [
  {
    id: "RT-1520",
    level: "MUST",
    title: "a reader that pauses makes a download pause",
    needs: ["server", "payload", "serverStream"],
    async run(run) {
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
        await chunks.settled();
        break;
      }
      expect(chunks.sent < fastChunks, `all ${chunks.sent} chunks were sent to a reader of one`);
    },
  },
  {
    id: "RT-1521",
    level: "MUST",
    title: "a handler that pauses makes an upload pause",
    needs: ["server", "payload", "clientStream"],
    async run(run) {
      const chunks = new Chunks();
      const { stream } = await run.serve(
        someHandlersOf(PayloadService, {
          async upload(requests) {
            for await (const { data } of requests) {
              await chunks.settled();
              return create(UploadResponseSchema, { sizeBytes: data.length });
            }
            return create(UploadResponseSchema);
          },
        }),
      );
      for await (const { sizeBytes } of stream(upload, chunks.endless())) expect(sizeBytes > 0, "an empty chunk");
      expect(chunks.sent < fastChunks, `all ${chunks.sent} chunks were sent to a handler that took one`);
    },
  },
  {
    id: "RT-1522",
    level: "MUST",
    title: "a download that fails in the middle is an error after what came, and never a shorter one",
    needs: ["server", "payload", "serverStream"],
    async run(run) {
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
      // Bytes that are nothing else have no place for a code.
      const codes = ["DATA_LOSS", "UNAVAILABLE"];
      expect(thrown instanceof CallError && codes.includes(thrown.code), `failed with ${String(thrown)}`);
      const received = items.reduce((sum, { data }) => sum + data.length, 0);
      expectEqual(received, chunk.length, "bytes");
    },
  },
  {
    id: "RT-1523",
    level: "MUST",
    title: "a sender that leaves an upload in the middle ends it for the handler",
    needs: ["server", "payload", "clientStream"],
    async run(run) {
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
  },
]);
