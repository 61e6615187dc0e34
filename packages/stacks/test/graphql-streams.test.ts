// Streams of a server are subscriptions over server-sent events: what comes, in which order, and how it ends.
import { create, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  handlersOf,
  type CallContext,
  type CallOptions,
  type CanonicalCode,
  type Client,
  type Metadata,
} from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  ConformanceService,
  DownloadRequestSchema,
  DownloadResponseSchema,
  type DownloadRequest,
  type DownloadResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { createClient } from "graphql-sse";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { caught } from "./support/caught.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { pairOf, type PairOptions } from "./support/pair.ts";
import { graphqlStack } from "./support/stacks-under-test.ts";

const stack = graphqlStack;
const contract = conformanceContract();
const download = contract.operation("roundtrip.conformance.v1.ConformanceService.Download");

type Answer = (request: DownloadRequest, context: CallContext) => AsyncIterable<DownloadResponse>;

const item = (index: number, sizeBytes = 0) =>
  create(DownloadResponseSchema, { index, data: new Uint8Array(sizeBytes) });

async function* counting({ count, sizeBytes }: DownloadRequest): AsyncGenerator<DownloadResponse> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(item(index, sizeBytes));
}

function pair(answer: Answer, options: Partial<PairOptions> = {}) {
  // Of this service only one method is asked.
  const methods = { download: answer } as unknown as Parameters<typeof handlersOf<typeof ConformanceService>>[1];
  return pairOf(stack, serviceOf(contract, handlersOf(ConformanceService, methods)), options);
}

function read(client: Client, init: object, options: CallOptions = {}): AsyncIterable<Message> {
  return client.prepareStream(download)([create(DownloadRequestSchema, init)], options);
}

async function all(messages: AsyncIterable<Message>): Promise<DownloadResponse[]> {
  const got: DownloadResponse[] = [];
  for await (const message of messages) got.push(message as DownloadResponse);
  return got;
}

describe.each([{ tls: false }, { tls: true }])("with TLS: $tls", ({ tls }) => {
  test("every message comes, in order and whole", async () => {
    const { client } = await pair(counting, { tls });
    const got = await all(read(client, { count: 500, sizeBytes: 300 }));
    expect(got).toStrictEqual(Array.from({ length: 500 }, (_, index) => item(index, 300)));
    expect(await all(read(client, { count: 0 }))).toEqual([]);
  });
});

test("another client library reads the same", async () => {
  const { server } = await pair(counting);
  const client = createClient({ url: server.url, retryAttempts: 0 });
  const results: unknown[] = [];
  for await (const { data } of client.iterate({ query: "subscription { download(count: 2) { index data } }" })) {
    results.push(data);
  }
  expect(results).toEqual([{ download: { index: 0, data: "" } }, { download: { index: 1, data: "" } }]);
});

test.each([
  { when: "before the first message", count: 0 },
  { when: "after some", count: 3 },
])("an error $when is the error that the service gave", async ({ count }) => {
  const { client } = await pair(async function* answer(request) {
    yield* counting(request);
    throw new CallError("DATA_LOSS", "lost", {
      reason: "DISK",
      domain: "test",
      metadata: { at: "3" },
      violations: [{ field: "size_bytes", description: "too many", reason: "rule" }],
    });
  });
  const got: Message[] = [];
  const reading = async (): Promise<void> => {
    for await (const message of read(client, { count })) got.push(message);
  };
  const error = await caught(reading());
  expect(got).toHaveLength(count);
  expect([error.code, error.message, error.details]).toEqual([
    "DATA_LOSS",
    "lost",
    {
      reason: "DISK",
      domain: "test",
      metadata: { at: "3" },
      violations: [{ field: "size_bytes", description: "too many", reason: "rule" }],
    },
  ]);
});

test("requests are checked by the contract's rules, and large ones refused", async () => {
  const { client, server } = await pair(counting, { serve: { maxMessageBytes: 2_000 } });
  const broken = await caught(all(read(client, { count: -1 })));
  expect([broken.code, broken.details.violations.map(({ field }) => field)]).toEqual(["INVALID_ARGUMENT", ["count"]]);
  const padded = JSON.stringify({ query: `subscription { download { index } } ${" ".repeat(3_000)}` });
  const { status, errors } = await graphqlPost(server, padded, { accept: "text/event-stream" });
  expect([status, errors[0]?.extensions["code"]]).toEqual([413, "RESOURCE_EXHAUSTED"]);
});

test("a client that stops reading cancels the handler", async () => {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { client } = await pair(async function* answer(_request, { signal }) {
    signal.addEventListener("abort", () => resolve(signal.reason as CallError));
    yield item(0);
    await sleep(20_000, undefined, { signal });
  });
  for await (const message of read(client, {})) {
    expect(message).toStrictEqual(item(0));
    break;
  }
  expect((await reason).code).toBe("CANCELLED");
});

test.each([
  { how: "its signal", code: "CANCELLED", options: () => ({ signal: AbortSignal.timeout(200) }) },
  { how: "its deadline", code: "DEADLINE_EXCEEDED", options: () => ({ timeoutMs: 200 }) },
] as const satisfies readonly { how: string; code: CanonicalCode; options: () => CallOptions }[])(
  "a call that ends by $how ends at both ends",
  async ({ code, options }) => {
    const { promise: reason, resolve } = Promise.withResolvers<CallError>();
    const { client } = await pair(async function* answer(_request, { signal }) {
      signal.addEventListener("abort", () => resolve(signal.reason as CallError));
      yield item(0);
      await sleep(20_000, undefined, { signal });
    });
    expect((await caught(all(read(client, {}, options())))).code).toBe(code);
    expect(["CANCELLED", "DEADLINE_EXCEEDED"]).toContain((await reason).code);
  },
);

test("a handler is not asked for more than the reader takes", async () => {
  let made = 0;
  const { client } = await pair(async function* answer() {
    for (; made < 1_000; made++) yield await Promise.resolve(item(made, 100_000));
  });
  const messages = read(client, {})[Symbol.asyncIterator]();
  await messages.next();
  let before = -1;
  while (before !== made) {
    before = made;
    await sleep(100);
  }
  expect(made).toBeLessThan(500);
  await messages.return?.();
});

test("a message larger than the client allows fails the stream", async () => {
  const { client } = await pair(counting, { connect: { maxMessageBytes: 2_000 } });
  expect(await all(read(client, { count: 20, sizeBytes: 1_000 }))).toHaveLength(20);
  expect((await caught(all(read(client, { count: 2, sizeBytes: 3_000 })))).code).toBe("RESOURCE_EXHAUSTED");
});

test("metadata go out with the request and come with the first message", async () => {
  const { client } = await pair(async function* answer(request, { metadata, answerMetadata }) {
    answerMetadata.set("x-seen", metadata.get("x-tenant") ?? "none");
    yield* counting(request);
  });
  const heard: Metadata[] = [];
  const metadata = new Map([["x-tenant", "seven"]]);
  await all(read(client, { count: 2 }, { metadata, onMetadata: (one) => heard.push(one) }));
  expect(heard).toEqual([new Map([["x-seen", "seven"]])]);
});

test("a server that closes ends its streams after the grace time, and says so to both sides", async () => {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { client, server } = await pair(
    async function* answer(_request, { signal }) {
      signal.addEventListener("abort", () => resolve(signal.reason as CallError));
      yield item(0);
      await sleep(20_000, undefined, { signal });
    },
    { serve: { shutdownGraceMs: 50 } },
  );
  const messages = read(client, {})[Symbol.asyncIterator]();
  await messages.next();
  const rest = caught(messages.next());
  await server.close();
  expect([(await rest).code, (await reason).code]).toEqual(["UNAVAILABLE", "CANCELLED"]);
});

test("a subscription without a stream's media type is refused with that type; an invalid document is an event", async () => {
  const { server } = await pair(counting);
  const query = "subscription { download { index } }";
  expect((await graphqlPost(server, { query })).errors[0]).toMatchObject({
    message: "subscriptions require Accept: text/event-stream",
    extensions: { code: "INVALID_ARGUMENT" },
  });
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query: "subscription { nobody }" }),
  });
  expect(await response.text()).toMatch(
    /^event: next\ndata: \{"errors":\[.*"GRAPHQL_VALIDATION_FAILED".*\n\nevent: complete\n/,
  );
});
