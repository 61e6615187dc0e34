// The payload service without a network: what is sent, what is said of what came, and where it says no.
import { create } from "@bufbuild/protobuf";
import { builtInContract, incompressibleBytes, ServerCall, type CallError } from "@roundtrip/contract";
import {
  DownloadRequestSchema,
  EchoRequestSchema,
  EchoResponseSchema,
  UploadRequestSchema,
  UploadResponseSchema,
  type DownloadResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { crc32, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { realService } from "../src/index.ts";

const contract = builtInContract();
const service = realService(contract);
const download = contract.operation("roundtrip.v1.PayloadService.Download");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");
const echo = contract.operation("roundtrip.v1.PayloadService.Echo");

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function downloaded(sizeBytes: number, chunkBytes: number): Promise<Uint8Array[]> {
  const request = create(DownloadRequestSchema, { sizeBytes, chunkBytes });
  const answers = service.stream(download, each([request]), new ServerCall());
  const chunks: Uint8Array[] = [];
  for await (const answer of answers) chunks.push((answer as DownloadResponse).data);
  return chunks;
}

async function uploaded(chunks: Iterable<Uint8Array>) {
  const requests = Array.from(chunks, (data) => create(UploadRequestSchema, { data }));
  for await (const answer of service.stream(upload, each(requests), new ServerCall())) return answer;
  throw new Error("no answer");
}

const codeOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => (thrown as CallError).code);

it("gives a text and bytes back", async () => {
  const values = { text: "Grüße", data: Uint8Array.of(0, 255) };
  const answer = await service.call(echo, create(EchoRequestSchema, values), new ServerCall());
  expect(answer).toEqual(create(EchoResponseSchema, values));
});

it("sends as many bytes as are asked for, in chunks of the size that is asked for", async () => {
  const sizes = (await downloaded(150_000, 65_536)).map(({ length }) => length);
  expect(sizes).toEqual([65_536, 65_536, 18_928]);
  expect(await downloaded(0, 65_536)).toEqual([]);
  expect((await downloaded(100_000, 0)).map(({ length }) => length)).toEqual([65_536, 34_464]);
});

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

it("says how many bytes came and their checksum", async () => {
  const bytes = incompressibleBytes(200_000, 7);
  const answer = await uploaded([bytes.subarray(0, 1), bytes.subarray(1, 150_000), bytes.subarray(150_000)]);
  expect(answer).toEqual(create(UploadResponseSchema, { sizeBytes: 200_000, crc32: crc32(bytes) }));
  expect(await uploaded([])).toEqual(create(UploadResponseSchema, {}));
});

it("accepts and sends at most 16 MiB, in chunks of at most 1 MiB", async () => {
  const chunk = new Uint8Array(1_048_576);
  const most = Array.from({ length: 16 }, () => chunk);
  expect(await uploaded(most)).toMatchObject({ sizeBytes: 16 * 1_048_576 });
  expect(await codeOf(uploaded([...most, Uint8Array.of(1)]))).toBe("RESOURCE_EXHAUSTED");
  expect(await codeOf(uploaded([new Uint8Array(1_048_577)]))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(downloaded(16_777_217, 0))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(downloaded(1, 1_048_577))).toBe("INVALID_ARGUMENT");
});
