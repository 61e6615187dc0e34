// Streams of requests over REST: what a client of the contract and a person with curl can rely on.
import { create } from "@bufbuild/protobuf";
import { type CallContext, CallError } from "@roundtrip/contract";
import {
  type UploadRequest,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { caught, pairOf, type PairOptions, restStack } from "./support/pair.ts";
import { conformanceService, upload } from "./support/streams.ts";

async function counted(items: AsyncIterable<UploadRequest>) {
  let count = 0;
  let bytes = 0;
  for await (const { data } of items) {
    count += 1;
    bytes += data.length;
  }
  return { count, sizeBytes: BigInt(bytes) };
}

const service = conformanceService({
  async upload(items, { answerMetadata }) {
    const all = await counted(items);
    answerMetadata.set("x-count", String(all.count));
    return create(UploadResponseSchema, all);
  },
});

const pair = (options: Partial<PairOptions> = {}) => pairOf(restStack, service, options);

async function* breaking() {
  yield {};
  await new Promise((later) => setTimeout(later, 20));
  throw new CallError("FAILED_PRECONDITION", "the disk is gone");
}

describe("a stream of requests", () => {
  test("is a body of newline-delimited JSON for anybody, whatever the pieces", async () => {
    const { server } = await pair();
    const headers = { "content-type": "application/x-ndjson" };
    const body = '{"data":"AAAA"}\r\n\n{"index":1}';
    const response = await fetch(`${server.url}/v1/items`, { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([200, '{"count":2,"sizeBytes":"3"}']);
  });

  test.for([
    ["a line that is no JSON", "application/x-ndjson", '{"index":1}\n{', 400, "INVALID_ARGUMENT"],
    ["a line with an unknown field", "application/x-ndjson", '{"nosuch":1}', 400, "INVALID_ARGUMENT"],
    ["a line that breaks a rule", "application/x-ndjson", '{"index":-1}', 400, "INVALID_ARGUMENT"],
    ["a line that is too long", "application/x-ndjson", `{"data":"${"A".repeat(400)}"}`, 413, "RESOURCE_EXHAUSTED"],
    ["a body of another type", "application/json", "{}", 415, "INVALID_ARGUMENT"],
    ["another character set", "application/x-ndjson; charset=utf-16", "{}", 415, "INVALID_ARGUMENT"],
  ] as const)("with %s is refused", async ([, type, body, status, code]) => {
    const { server } = await pair({ serve: { maxMessageBytes: 200 } });
    const response = await fetch(`${server.url}/v1/items`, { method: "POST", headers: { "content-type": type }, body });
    expect([response.status, await response.json()]).toMatchObject([status, { status, code }]);
  });

  test("a caller whose own stream fails gets that failure, and the handler a cancelled call", async () => {
    const { promise: reason, resolve } = Promise.withResolvers<unknown>();
    const waiting = conformanceService({
      async upload(items: AsyncIterable<UploadRequest>, { signal }: CallContext) {
        signal.addEventListener("abort", () => resolve(signal.reason));
        await counted(items);
        return create(UploadResponseSchema);
      },
    });
    const { client } = await pairOf(restStack, waiting);
    expect(await caught(upload(client, breaking()))).toMatchObject({ message: "the disk is gone" });
    expect(await reason).toMatchObject({ code: "CANCELLED" });
  });

  test("a caller that goes away in the middle of a line cancels the handler", async () => {
    const { promise: reason, resolve } = Promise.withResolvers<unknown>();
    const waiting = conformanceService({
      async upload(items: AsyncIterable<UploadRequest>, { signal }: CallContext) {
        signal.addEventListener("abort", () => resolve(signal.reason));
        await counted(items);
        return create(UploadResponseSchema);
      },
    });
    const { server } = await pairOf(restStack, waiting);
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const head = "POST /v1/items HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\n";
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"ind\r\n`);
    setTimeout(() => socket.destroy(), 50);
    expect(await reason).toMatchObject({ code: "CANCELLED" });
  });
});
