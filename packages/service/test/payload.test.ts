// The payload service beyond its conformance cases: its bytes cannot be compressed, and are made once.
import { create } from "@bufbuild/protobuf";
import { builtInContract, ServerCall } from "@roundtrip/contract";
import { DownloadRequestSchema, type DownloadResponse } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { realService } from "../src/index.ts";

const contract = builtInContract();
const service = realService(contract);
const download = contract.operation("roundtrip.v1.PayloadService.Download");

async function downloaded(sizeBytes: number, chunkBytes: number): Promise<Uint8Array[]> {
  async function* requests() {
    yield create(DownloadRequestSchema, { sizeBytes, chunkBytes });
  }
  const answers = await Array.fromAsync(service.stream(download, requests(), new ServerCall()));
  return answers.map((answer) => (answer as DownloadResponse).data);
}

it("sends the same bytes however they are cut, also beyond where they come round again", async () => {
  const sizeBytes = 9_000_000;
  const whole = Buffer.concat(await downloaded(sizeBytes, 1_048_576));
  expect(whole).toHaveLength(sizeBytes);
  expect(Buffer.concat(await downloaded(sizeBytes, 99_991)).equals(whole)).toBe(true);
});

it("sends bytes that cannot be compressed, made once and never copied", async () => {
  const [first] = await downloaded(1_048_576, 1_048_576);
  const [again] = await downloaded(10, 10);
  expect(gzipSync(first ?? "").length).toBeGreaterThan(1_048_576);
  expect(again?.buffer).toBe(first?.buffer);
});
