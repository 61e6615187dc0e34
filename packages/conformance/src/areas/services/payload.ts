// Payloads of the real service: large ones arrive complete for every chunk size, and too large ones are refused.
import { crc32 } from "node:zlib";
import { PayloadService } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { incompressibleBytes } from "@roundtrip/contract";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations } from "../../case/expectations.ts";
import { markHandled } from "../../case/mark-handled.ts";
import { all } from "../../support/streams.ts";

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
  const answers = await all(run.stream(upload, chunksOf(bytes, chunkBytes)));
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
    await expectError(all(run.stream(upload, chunks)), "RESOURCE_EXHAUSTED");
  }),
  async "RT-1507 a download of too many bytes or with too large chunks is INVALID_ARGUMENT, and the error names the fields"(
    run,
  ) {
    const request = { sizeBytes: 16 * mebibyte + 1, chunkBytes: mebibyte + 1 };
    await expectViolations(all(run.stream(download, [request])), [
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
