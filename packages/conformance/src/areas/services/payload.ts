// Payloads of the real service: large ones arrive complete for every chunk size, and too large ones are refused.
import { crc32 } from "node:zlib";
import {
  DownloadResponseSchema,
  PayloadService,
  UploadResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { CallError, incompressibleBytes } from "@roundtrip/contract";
import { create } from "@bufbuild/protobuf";
import { type CaseRun, markHandled } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations } from "../../case/expectations.ts";
import { untilBlocked, untilError } from "../../support/streams.ts";
import { someHandlersOf } from "../../support/handlers.ts";

const { download, echo, upload } = PayloadService.method;

const largeBytes = 3_900_000;
const mebibyte = 1_048_576;

/** The first bytes of every download: those of seed 1. */
const downloaded = incompressibleBytes(largeBytes, 1);

function* chunksOf(bytes: Uint8Array, chunkBytes: number): Generator<{ data: Uint8Array }> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield { data: bytes.subarray(at, at + chunkBytes) };
}

async function expectDownloaded(run: CaseRun, sizeBytes: number, chunkBytes: number): Promise<void> {
  const received: Uint8Array[] = [];
  for await (const { data } of run.stream(download, [{ sizeBytes, chunkBytes }])) received.push(data);
  const size = received.reduce((sum, { length }) => sum + length, 0);
  expectEqual(size, sizeBytes, "bytes");
  const checksum = received.reduce((sum, chunk) => crc32(chunk, sum), 0);
  expectEqual(checksum, crc32(downloaded.subarray(0, sizeBytes)), "checksum");
}

async function expectUploaded(run: CaseRun, bytes: Uint8Array, chunkBytes: number): Promise<void> {
  const answers = await Array.fromAsync(run.stream(upload, chunksOf(bytes, chunkBytes)));
  const counted = answers.map(({ sizeBytes, crc32: checksum }) => [sizeBytes, checksum]);
  expectEqual(counted, [[bytes.length, crc32(bytes)]], "answer");
}

/** The cases RT-1501 to RT-1519. */
export const payloadCases = casesIn("payload", ["payload", "serverStream"], {
  "RT-1501 an echo returns a text and bytes of 277 KB unchanged": needing(["payload"], async (run) => {
    const text = "Grüße! ".repeat(35_456);
    const data = incompressibleBytes(283_648, 2);
    const answer = await run.call(echo, { text, data });
    expect(answer.text === text, "the text differs");
    expect(Buffer.compare(answer.data, data) === 0, "the bytes differ");
  }),
  async "RT-1502 a download of 3.9 MB has the same bytes for every chunk size"(run) {
    await expectDownloaded(run, largeBytes, 0);
    await expectDownloaded(run, largeBytes, mebibyte);
    await expectDownloaded(run, 100_000, 999);
  },
  "RT-1503 a download of 0 bytes succeeds": (run) => expectDownloaded(run, 0, 0),
  "RT-1504 an upload of 3.9 MB arrives complete for every chunk size": needing(
    ["payload", "clientStream"],
    async (run) => {
      const bytes = incompressibleBytes(largeBytes, 3);
      await expectUploaded(run, bytes, 65_536);
      await expectUploaded(run, bytes, mebibyte);
      await expectUploaded(run, bytes.subarray(0, 100_000), 999);
    },
  ),
  "RT-1505 an upload of 0 bytes succeeds": needing(["payload", "clientStream"], (run) =>
    expectUploaded(run, new Uint8Array(), mebibyte),
  ),
  "RT-1506 an upload of more than 16 MiB is RESOURCE_EXHAUSTED": needing(["payload", "clientStream"], async (run) => {
    const chunk = { data: new Uint8Array(mebibyte) };
    const chunks = Array.from({ length: 17 }, () => chunk);
    await expectError(Array.fromAsync(run.stream(upload, chunks)), "RESOURCE_EXHAUSTED");
  }),
  async "RT-1507 a download of too many bytes or with too large chunks is INVALID_ARGUMENT, and the error names the fields"(
    run,
  ) {
    const request = { sizeBytes: 16 * mebibyte + 1, chunkBytes: mebibyte + 1 };
    await expectViolations(Array.fromAsync(run.stream(download, [request])), [
      { field: "size_bytes", reason: "int32.gte_lte" },
      { field: "chunk_bytes", reason: "int32.gte_lte" },
    ]);
  },
  "RT-1508 an echo of more than 1 MiB is INVALID_ARGUMENT, and the error names the field": needing(
    ["payload"],
    async (run) => {
      const call = run.call(echo, { data: new Uint8Array(mebibyte + 1) });
      await expectViolations(call, [{ field: "data", reason: "bytes.max_len" }]);
    },
  ),
  async "RT-1509 a reader that leaves a download in the middle does not affect other calls"(run) {
    const others = markHandled(expectDownloaded(run, largeBytes, 0));
    for await (const { data } of run.stream(download, [{ sizeBytes: 16 * mebibyte }])) {
      expect(data.length > 0, "an empty chunk");
      break;
    }
    await others;
    await run.call(echo, { text: "still here" });
  },
});

// Flow control of payloads: a sender waits for a slow reader, and each side learns of the other's end.

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
