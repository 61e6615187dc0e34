// Streams over REST: what a client of the contract and a person with curl can rely on.
import { create } from "@bufbuild/protobuf";
import { CallError, type CallContext } from "@roundtrip/contract";
import {
  UploadResponseSchema,
  type DownloadRequest,
  type DownloadResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { caught } from "./support/caught.ts";
import { pairOf, type PairOptions } from "./support/pair.ts";
import { restStack } from "./support/stacks-under-test.ts";
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
  test("comes message by message, in order, plain and over TLS", async () => {
    for (const tls of [false, true]) {
      const { client } = await pair({ tls });
      const heard: unknown[] = [];
      const answers = download(client, { count: 1000, sizeBytes: 10 }, { onMetadata: (map) => heard.push([...map]) });
      expect(await all(answers)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
      expect(heard).toEqual([[["x-shelf", "top"]]]);
    }
  });

  test("may be empty", async () => {
    const { client } = await pair();
    expect(await all(download(client, {}))).toEqual([]);
  });

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

  test("that fails before its first message is an error like any other", async () => {
    const { server, client } = await pair();
    const response = await fetch(`${server.url}/v1/items?codeAtEnd=10`);
    expect([response.status, await response.json()]).toMatchObject([409, { code: "ABORTED", reason: "SPENT" }]);
    const heard: unknown[] = [];
    const call = all(download(client, { codeAtEnd: 10 }, { onMetadata: (map) => heard.push([...map]) }));
    expect(await caught(call)).toMatchObject({ code: "ABORTED", message: "before the first", details });
    expect(heard).toEqual([[["x-shelf", "top"]]]);
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

  test("whose request breaks a rule is INVALID_ARGUMENT", async () => {
    const { client } = await pair();
    expect(await caught(all(download(client, { count: -1 })))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("that breaks off is UNAVAILABLE, never a shorter stream", async () => {
    const unending = conformanceService({
      async *download(_request: DownloadRequest, { signal }: CallContext) {
        yield item({});
        await once(signal, "abort");
      },
    });
    const { server, client } = await pairOf(restStack, unending, { serve: { shutdownGraceMs: 1 } });
    const answers = download(client, {})[Symbol.asyncIterator]();
    await answers.next();
    await server.close();
    expect((await caught(answers.next())).code).toBe("UNAVAILABLE");
  });

  test("with a message larger than the client allows is RESOURCE_EXHAUSTED", async () => {
    const { client } = await pair({ connect: { maxMessageBytes: 100 } });
    expect(await all(download(client, { count: 5, sizeBytes: 50 }))).toHaveLength(5);
    expect((await caught(all(download(client, { count: 1, sizeBytes: 100 })))).code).toBe("RESOURCE_EXHAUSTED");
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

/** A handler that sends without end, counts what it was asked for, and reports how its call ended. */
function endless(sizeBytes: number) {
  const { promise: reason, resolve } = Promise.withResolvers<unknown>();
  const sent = { messages: 0 };
  const served = conformanceService({
    async *download(_request: DownloadRequest, { signal }: CallContext) {
      signal.addEventListener("abort", () => resolve(signal.reason));
      const data = new Uint8Array(sizeBytes);
      for (;;) {
        sent.messages += 1;
        yield item({ index: sent.messages, data });
      }
    },
  });
  return { served, reason, sent };
}

describe("a stream that ends early", () => {
  test("a caller who stops reading cancels the handler", async () => {
    const { served, reason } = endless(10);
    const { client } = await pairOf(restStack, served);
    for await (const { index } of download(client, {})) if (index === 3) break;
    expect(await reason).toMatchObject({ code: "CANCELLED" });
  });

  test("a deadline ends it on both sides", async () => {
    const { served, reason, sent } = endless(10);
    const { client } = await pairOf(restStack, served);
    expect((await caught(all(download(client, {}, { timeoutMs: 100 })))).code).toBe("DEADLINE_EXCEEDED");
    // On a busy machine the deadline may pass before the handler begins; then it never does.
    const seen = sent.messages === 0 ? "DEADLINE_EXCEEDED" : ((await reason) as CallError).code;
    expect(["DEADLINE_EXCEEDED", "CANCELLED"]).toContain(seen);
  });

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

  test("a signal cancels it", async () => {
    const { served, reason } = endless(10);
    const { client } = await pairOf(restStack, served);
    const controller = new AbortController();
    const call = (async () => {
      for await (const { index } of download(client, {}, { signal: controller.signal })) {
        if (index === 2) controller.abort();
      }
    })();
    expect((await caught(call)).code).toBe("CANCELLED");
    expect(await reason).toMatchObject({ code: "CANCELLED" });
  });

  test("a caller who does not read stops the handler from producing", async () => {
    const { served, sent } = endless(100_000);
    const { client } = await pairOf(restStack, served);
    const answers = download(client, {})[Symbol.asyncIterator]();
    await answers.next();
    let before = -1;
    while (sent.messages !== before) {
      before = sent.messages;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    // What kernels and buffers hold, and no more.
    expect(sent.messages).toBeLessThan(500);
    await answers.return?.();
  });

  test("a server that closes lets it finish within the grace time", async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const slow = conformanceService({
      async *download() {
        yield item({ index: 0 });
        await goOn;
        yield item({ index: 1 });
      },
    });
    const { server, client } = await pairOf(restStack, slow, { serve: { shutdownGraceMs: 5000 } });
    const answers = download(client, {})[Symbol.asyncIterator]();
    await answers.next();
    const closed = server.close();
    resolve();
    expect((await answers.next()).value).toMatchObject({ index: 1 });
    expect((await answers.next()).done).toBe(true);
    await closed;
  });
});

test("talking both ways at once is declared impossible, on both sides", async () => {
  const { server, client } = await pair();
  const response = await fetch(`${server.url}/v1/items:converse`, { method: "POST" });
  expect([response.status, await response.json()]).toMatchObject([501, { code: "UNIMPLEMENTED" }]);
  const answers = client.prepareStream(operationNamed("Converse"))([])[Symbol.asyncIterator]();
  expect((await caught(answers.next())).code).toBe("UNIMPLEMENTED");
});
