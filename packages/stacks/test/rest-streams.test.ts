// Streams over REST: what a client of the contract and a person with curl can rely on.
import { create } from "@bufbuild/protobuf";
import { type CallContext, CallError } from "@roundtrip/contract";
import {
  type DownloadRequest,
  type DownloadResponse,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { caught, pairOf, type PairOptions, restStack } from "./support/pair.ts";
import { conformanceService, download, item, operationNamed, upload } from "./support/streams.ts";

const details = {
  reason: "SPENT",
  domain: "example.com",
  metadata: { left: "0" },
  violations: [{ field: "size_bytes", description: "no", reason: "r" }],
};

function items({ count, sizeBytes, codeAtEnd }: DownloadRequest): readonly DownloadResponse[] {
  if (codeAtEnd !== 0 && count === 0) throw new CallError("ABORTED", "before the first", details);
  return Array.from({ length: count }, (_, index) => item({ index, data: new Uint8Array(sizeBytes) }));
}

const service = conformanceService({
  async *download(request, { answerMetadata }) {
    answerMetadata.set("x-shelf", "top");
    yield* items(request);
    if (request.codeAtEnd !== 0) throw new CallError("DATA_LOSS", "in the middle", details);
  },
  upload: () => create(UploadResponseSchema, { count: 1 }),
});

const pair = (options: Partial<PairOptions> = {}) => pairOf(restStack, service, options);

async function all(answers: AsyncIterable<DownloadResponse>): Promise<readonly number[]> {
  const indexes: number[] = [];
  for await (const { index } of answers) indexes.push(index);
  return indexes;
}

describe("a stream of answers", () => {
  test("is newline-delimited JSON for anybody", async () => {
    const { server } = await pair();
    const response = await fetch(`${server.url}/v1/items?count=2&sizeBytes=3`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(await response.text()).toBe('{"data":"AAAA"}\n{"index":1,"data":"AAAA"}\n');
  });

  test("is server-sent events for a browser, with an event at the end", async () => {
    const { server } = await pair();
    const headers = { accept: "text/event-stream" };
    const response = await fetch(`${server.url}/v1/items?count=1`, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe("data: {}\n\nevent: end\ndata: {}\n\n");
    const failed = await fetch(`${server.url}/v1/items?count=1&codeAtEnd=15`, { headers });
    expect(await failed.text()).toMatch(/^data: \{\}\n\nevent: error\ndata: \{.*"code":"DATA_LOSS".*\}\n\n$/);
  });

  test("is refused to a caller who can read neither", async () => {
    const { server } = await pair();
    const response = await fetch(`${server.url}/v1/items`, { headers: { accept: "text/html" } });
    expect([response.status, await response.json()]).toMatchObject([406, { code: "INVALID_ARGUMENT" }]);
  });

  test("answers HEAD with its headers alone", async () => {
    const { server } = await pair();
    const response = await fetch(`${server.url}/v1/items?count=3`, { method: "HEAD" });
    expect([response.status, response.headers.get("x-shelf"), await response.text()]).toEqual([200, "top", ""]);
  });

  test("that fails in the middle reports it in its last line, and the client gets the error as it was", async () => {
    const { server, client } = await pair();
    const lines = (await (await fetch(`${server.url}/v1/items?count=2&codeAtEnd=15`)).text()).split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ error: { status: 500, code: "DATA_LOSS", reason: "SPENT" } });
    const received: number[] = [];
    const call = (async () => {
      for await (const { index } of download(client, { count: 2, codeAtEnd: 15 })) received.push(index);
    })();
    expect(await caught(call)).toMatchObject({ code: "DATA_LOSS", message: "in the middle", details });
    expect(received).toEqual([0, 1]);
  });

  test("does not hold up other calls of the same client", async () => {
    const { client } = await pair();
    const first = download(client, { count: 2 })[Symbol.asyncIterator]();
    await first.next();
    expect(await all(download(client, { count: 3 }))).toEqual([0, 1, 2]);
    expect((await upload(client, [{}])).count).toBe(1);
    await first.return?.();
  });
});

describe("a stream that ends early", () => {
  test("the server enforces a deadline by itself, and reports it in the stream", async () => {
    const waiting = conformanceService({
      async *download(_request: DownloadRequest, { signal }: CallContext) {
        yield item({});
        await once(signal, "abort");
      },
    });
    const { server } = await pairOf(restStack, waiting);
    const response = await fetch(`${server.url}/v1/items`, { headers: { "x-request-timeout-ms": "50" } });
    expect(await response.text()).toMatch(/^\{\}\n\{"error":.*"DEADLINE_EXCEEDED".*\}\n$/);
  });
});

test("talking both ways at once is declared impossible, on both sides", async () => {
  const { server, client } = await pair();
  const response = await fetch(`${server.url}/v1/items:converse`, { method: "POST" });
  expect([response.status, await response.json()]).toMatchObject([501, { code: "UNIMPLEMENTED" }]);
  const answers = client.prepareStream(operationNamed("Converse"))([])[Symbol.asyncIterator]();
  expect((await caught(answers.next())).code).toBe("UNIMPLEMENTED");
});
