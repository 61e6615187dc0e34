// Streams beyond the conformance cases: how they end on each style that has them, and their forms in REST and GraphQL for clients that are not ours.
import { create, fromJson, type Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { UploadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { CallError, type Metadata, type StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { createClient } from "graphql-sse";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { caught, graphqlStack, grpcStack, pairOf, type PairOptions, restStack } from "./support/pair.ts";
import { answeringServer, rawSocket } from "./support/wire.ts";
import { conformanceService, download, item, methods, operationNamed, streamed, upload } from "./support/streams.ts";

/** Answers with one item, then waits until the call ends. */
function endless() {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const service = conformanceService({
    async *download(_request, { signal }) {
      signal.addEventListener("abort", () => resolve(signal.reason as CallError));
      yield item({});
      await once(signal, "abort");
    },
  });
  return { service, reason };
}

describe.each([grpcStack, restStack, graphqlStack])("answers on %s", (stack) => {
  test("of several requests the first is sent, and a missing one is INVALID_ARGUMENT before anything is sent", async () => {
    const counting = conformanceService({
      async *download({ count }) {
        yield item({ index: count });
      },
    });
    const { client } = await pairOf(stack, counting);
    const answers = await Array.fromAsync(streamed(client, methods.download, [{ count: 1 }, { count: 2 }]));
    expect(answers.map(({ index }) => index)).toEqual([1]);
    expect(await caught(Array.fromAsync(streamed(client, methods.download, [])))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "the call came without a request",
    });
  });

  test("a stream without answers carries metadata too", async () => {
    const service = conformanceService({
      async *download({ count }, { answerMetadata }) {
        answerMetadata.set("x-heard", "nothing");
        if (count > 0) yield item({});
      },
    });
    const { client } = await pairOf(stack, service);
    const onMetadata = vi.fn<(metadata: Metadata) => void>();
    expect(await Array.fromAsync(download(client, {}, { onMetadata }))).toEqual([]);
    expect(onMetadata.mock.calls).toEqual([[new Map([["x-heard", "nothing"]])]]);
  });

  test("a stream does not hold up other calls of the same client", async () => {
    const { service } = endless();
    const { client } = await pairOf(stack, service);
    const first = download(client, {})[Symbol.asyncIterator]();
    const second = download(client, {})[Symbol.asyncIterator]();
    const begun = await Promise.all([first.next(), second.next()]);
    expect(begun.map(({ done }) => done)).toEqual([false, false]);
    await first.return?.();
    await second.return?.();
  });

  test("a server that closes lets a stream finish within the grace time", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = conformanceService({
      async *download() {
        yield item({ index: 0 });
        await gate;
        yield item({ index: 1 });
      },
    });
    const { server, client } = await pairOf(stack, slow, { serve: { shutdownGraceMs: 60_000 } });
    const answers = download(client, {})[Symbol.asyncIterator]();
    await answers.next();
    const closed = server.close();
    open();
    expect(await answers.next()).toMatchObject({ value: { index: 1 } });
    expect(await answers.next()).toMatchObject({ done: true });
    await closed;
  });
});

test("a caller of gRPC that stops while waiting for an answer cancels the handler", async () => {
  const { service, reason } = endless();
  const { client } = await pairOf(grpcStack, service);
  const answers = download(client, {})[Symbol.asyncIterator]();
  await answers.next();
  const waiting = caught(answers.next());
  await answers.return?.();
  expect((await waiting).code).toBe("CANCELLED");
  expect((await reason).code).toBe("CANCELLED");
});

const uploadId = `${methods.upload.parent.typeName}.Upload`;

/** A handler of a stream may say any number of answers: these. */
function answering(...counts: readonly number[]) {
  const handler = async function* () {
    for (const count of counts) yield create(UploadResponseSchema, { count });
  };
  return serviceOf(conformanceContract(), new Map([[uploadId, handler]]));
}

async function* endlessly(stopped: () => void) {
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      await turn();
      yield { index: 0 };
    }
  } finally {
    stopped();
  }
}

/** @param begun what the failure waits for */
async function* breaking(begun: Promise<unknown>) {
  yield {};
  await begun;
  throw new CallError("FAILED_PRECONDITION", "the disk is gone");
}

/** Reads requests to their end, and how its call was aborted. */
function reading() {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const service = conformanceService({
    async upload(requests, { signal }) {
      begin();
      signal.addEventListener("abort", () => resolve(signal.reason as CallError));
      return create(UploadResponseSchema, { count: (await Array.fromAsync(requests)).length });
    },
  });
  return { service, reason, begun };
}

describe.each([grpcStack, restStack])("requests on %s", (stack) => {
  test("of several answers the first is given, and a missing one is INTERNAL and names the operation", async () => {
    const { client, server } = await pairOf(stack, answering(1, 2, 3));
    expect(await upload(client, [{ index: 0 }])).toMatchObject({ count: 1 });
    await server.replace(answering());
    expect(await caught(upload(client, [{ index: 0 }]))).toMatchObject({
      code: "INTERNAL",
      message: `${uploadId} gave no answer`,
    });
  });

  test("a handler that reads no further answers all the same, and the requests stop", async () => {
    const service = conformanceService({
      async upload(requests) {
        for await (const { index } of requests) return create(UploadResponseSchema, { count: index + 1 });
        throw new Error("unreachable");
      },
    });
    const { client } = await pairOf(stack, service);
    const stopped = vi.fn<() => void>();
    expect(await upload(client, endlessly(stopped))).toMatchObject({ count: 1 });
    await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce(), 20_000);
  });

  test("a caller whose own stream fails gets that failure", async () => {
    const { client } = await pairOf(stack, reading().service);
    expect((await caught(upload(client, breaking(turn())))).message).toBe("the disk is gone");
  });

  test("a request that cannot be written is the caller's mistake", async () => {
    const { client } = await pairOf(stack, reading().service);
    expect((await caught(upload(client, [{ index: 1.5 }]))).code).toBe("INVALID_ARGUMENT");
  });
});

const details = {
  reason: "SPENT",
  domain: "example.com",
  metadata: { left: "0" },
  violations: [{ field: "size_bytes", description: "no", reason: "r" }],
};

const items = conformanceService({
  async *download({ count, sizeBytes, codeAtEnd }, { answerMetadata }) {
    answerMetadata.set("x-shelf", "top");
    for (let index = 0; index < count; index += 1) yield item({ index, data: new Uint8Array(sizeBytes) });
    if (codeAtEnd !== 0) throw new CallError("DATA_LOSS", "in the middle", details);
  },
  async upload(requests) {
    const received = await Array.fromAsync(requests);
    const sizeBytes = received.reduce((sum, { data }) => sum + BigInt(data.length), 0n);
    return create(UploadResponseSchema, { count: received.length, sizeBytes });
  },
});

const restItems = (options: Partial<PairOptions> = {}) => pairOf(restStack, items, options);

describe("REST", () => {
  const ndjson = { "content-type": "application/x-ndjson" };

  test("answers are newline-delimited JSON for anybody", async () => {
    const { server } = await restItems();
    const response = await fetch(`${server.url}/v1/items?count=2&sizeBytes=3`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(await response.text()).toBe('{"data":"AAAA"}\n{"index":1,"data":"AAAA"}\n');
  });

  test("answers are server-sent events for a browser, with an event at the end", async () => {
    const { server } = await restItems();
    const headers = { accept: "text/event-stream" };
    const response = await fetch(`${server.url}/v1/items?count=1`, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe("data: {}\n\nevent: end\ndata: {}\n\n");
    const failed = await fetch(`${server.url}/v1/items?count=1&codeAtEnd=15`, { headers });
    expect(await failed.text()).toMatch(/^data: \{\}\n\nevent: error\ndata: \{.*"code":"DATA_LOSS".*\}\n\n$/);
  });

  test("answers are refused to a caller who can read neither, and HEAD gets their headers alone", async () => {
    const { server } = await restItems();
    const refused = await fetch(`${server.url}/v1/items`, { headers: { accept: "text/html" } });
    expect([refused.status, await refused.json()]).toMatchObject([406, { code: "INVALID_ARGUMENT" }]);
    const head = await fetch(`${server.url}/v1/items?count=3`, { method: "HEAD" });
    expect([head.status, head.headers.get("x-shelf"), await head.text()]).toEqual([200, "top", ""]);
  });

  test("an error in the middle is the last line, and the client gets the error as it was", async () => {
    const { server, client } = await restItems();
    const lines = (await (await fetch(`${server.url}/v1/items?count=2&codeAtEnd=15`)).text()).split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ error: { status: 500, code: "DATA_LOSS", reason: "SPENT" } });
    const call = Array.fromAsync(download(client, { count: 2, codeAtEnd: 15 }));
    expect(await caught(call)).toMatchObject({ code: "DATA_LOSS", message: "in the middle", details });
  });

  test("a client that asks for events gets the same answers and errors", async () => {
    const { client } = await restItems({ connect: { settings: { streamForm: "events" } } });
    const answers = await Array.fromAsync(download(client, { count: 3, sizeBytes: 2 }));
    expect(answers.map(({ index, data }) => [index, data.length])).toEqual([0, 1, 2].map((index) => [index, 2]));
    const failing = Array.fromAsync(download(client, { count: 2, codeAtEnd: 15 }));
    expect(await caught(failing)).toMatchObject({ code: "DATA_LOSS", message: "in the middle", details });
    const tooLarge = Array.fromAsync(download(client, { count: 1, sizeBytes: 5_000_000 }));
    expect((await caught(tooLarge)).code).toBe("RESOURCE_EXHAUSTED");
  });

  test("an event of an error that is not of the contract ends the stream as INTERNAL", async () => {
    const url = await answeringServer((response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {}\n\nevent: error\ndata: no\n\n"),
    );
    const { client } = await restItems({ connect: { url, settings: { streamForm: "events" } } });
    expect(await caught(Array.fromAsync(streamed(client, methods.download, [{}])))).toMatchObject({ code: "INTERNAL" });
  });

  test("the server keeps a deadline by itself, and reports it in the stream", async () => {
    const { server } = await pairOf(restStack, endless().service);
    const response = await fetch(`${server.url}/v1/items`, { headers: { "x-request-timeout-ms": "50" } });
    expect(await response.text()).toMatch(/^\{\}\n\{"error":.*"DEADLINE_EXCEEDED".*\}\n$/);
  });

  test("both ways at once is declared impossible, on both sides", async () => {
    const { server, client } = await restItems();
    const response = await fetch(`${server.url}/v1/items:converse`, { method: "POST" });
    expect([response.status, await response.json()]).toMatchObject([501, { code: "UNIMPLEMENTED" }]);
    const answers = client.prepareStream(operationNamed("Converse"))([])[Symbol.asyncIterator]();
    expect((await caught(answers.next())).code).toBe("UNIMPLEMENTED");
  });

  test("requests are a body of newline-delimited JSON for anybody, whatever the pieces", async () => {
    const { server } = await restItems();
    const body = '{"data":"AAAA"}\r\n\n{"index":1}';
    const response = await fetch(`${server.url}/v1/items`, { method: "POST", headers: ndjson, body });
    expect([response.status, await response.text()]).toEqual([200, '{"count":2,"sizeBytes":"3"}']);
  });

  test.for([
    ["a line that is no JSON", "application/x-ndjson", '{"index":1}\n{', 400, "INVALID_ARGUMENT"],
    ["a line with an unknown field", "application/x-ndjson", '{"nosuch":1}', 400, "INVALID_ARGUMENT"],
    ["a line that breaks a rule", "application/x-ndjson", '{"index":-1}', 400, "INVALID_ARGUMENT"],
    ["a line that is too long", "application/x-ndjson", `{"data":"${"A".repeat(400)}"}`, 413, "RESOURCE_EXHAUSTED"],
    ["a body of another type", "application/json", "{}", 415, "INVALID_ARGUMENT"],
    ["another character set", "application/x-ndjson; charset=utf-16", "{}", 415, "INVALID_ARGUMENT"],
  ] as const)("requests with %s are refused", async ([, type, body, status, code]) => {
    const { server } = await restItems({ serve: { maxMessageBytes: 200 } });
    const response = await fetch(`${server.url}/v1/items`, { method: "POST", headers: { "content-type": type }, body });
    expect([response.status, await response.json()]).toMatchObject([status, { status, code }]);
  });

  test("a caller whose own stream fails cancels the handler", async () => {
    const { service, reason, begun } = reading();
    const { client } = await pairOf(restStack, service);
    await caught(upload(client, breaking(begun)));
    expect((await reason).code).toBe("CANCELLED");
  });

  test("a caller that goes away in the middle of a line cancels the handler", async () => {
    const { service, reason } = reading();
    const { server } = await pairOf(restStack, service);
    const socket = await rawSocket(server.url);
    const head = "POST /v1/items HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n";
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"ind\r\n`);
    setTimeout(() => socket.destroy(), 50);
    expect((await reason).code).toBe("CANCELLED");
  });

  test("a line is null for a body field that the request lacks, which chooses no member of a oneof", async () => {
    const meetings = compileContract(`
      syntax = "proto3";
      package meetings.v1;
      import "google/api/annotations.proto";
      service Meetings {
        rpc Last(stream Meeting) returns (Meeting) { option (google.api.http) = {post: "/meetings", body: "place"}; }
      }
      message Place { string name = 1; }
      message Meeting { oneof where { Place place = 1; string link = 2; } }
    `);
    const last = meetings.operation("meetings.v1.Meetings.Last");
    const echoLast: StreamHandler = async function* (requests) {
      yield (await Array.fromAsync(requests)).at(-1) ?? create(last.output);
    };
    const { client } = await pairOf(restStack, serviceOf(meetings, new Map([[last.id, echoLast]])));
    for (const where of [{ case: "place", value: { name: "" } }, { case: "link", value: "" }, undefined]) {
      const meeting = create(last.input, where === undefined ? {} : { where });
      expect(await Array.fromAsync(client.prepareStream(last)([meeting]))).toStrictEqual([meeting]);
    }
  });

  test.each(["Watch", "Texts"])("messages that look like errors are messages: %s", async (name) => {
    const reports = compileContract(`
      syntax = "proto3";
      package reports.v1;
      import "google/api/annotations.proto";
      service Reports {
        rpc Watch(WatchRequest) returns (stream Report) { option (google.api.http) = {get: "/v1/reports"}; }
        rpc Texts(WatchRequest) returns (stream Report) {
          option (google.api.http) = {get: "/v1/texts" response_body: "error"};
        }
      }
      message WatchRequest {}
      message Report { Problem error = 1; }
      message Problem { string code = 1; string detail = 2; }
    `);
    const operation = reports.operation(`reports.v1.Reports.${name}`);
    const report = fromJson(operation.output, { error: { code: "ABORTED", detail: "not really" } });
    async function* answers(): AsyncGenerator<Message> {
      yield report;
      throw new CallError("DATA_LOSS", "really");
    }
    const { client } = await pairOf(restStack, serviceOf(reports, new Map([[operation.id, answers]])));
    const messages = client.prepareStream(operation)([create(operation.input)]);
    const stream = messages[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual(report);
    expect(await caught(stream.next())).toMatchObject({ code: "DATA_LOSS", message: "really" });
  });
});

describe("GraphQL", () => {
  test("another client library reads the same", async () => {
    const { server } = await pairOf(graphqlStack, items);
    const client = createClient({ url: server.url, retryAttempts: 0 });
    const results: unknown[] = [];
    for await (const { data } of client.iterate({ query: "subscription { download(count: 2) { index data } }" })) {
      results.push(data);
    }
    expect(results).toEqual([{ download: { index: 0, data: "" } }, { download: { index: 1, data: "" } }]);
  });

  test("a subscription without a stream's protocol is refused with all of them; an invalid document is an event", async () => {
    const { server } = await pairOf(graphqlStack, items);
    const query = "subscription { download { index } }";
    expect((await graphqlPost(server, { query })).errors[0]).toMatchObject({
      message:
        "subscriptions require a WebSocket with graphql-transport-ws, Accept: text/event-stream, or Accept: multipart/mixed; subscriptionSpec=1.0",
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

  test("a large request is refused, whatever its answer would be", async () => {
    const { server } = await pairOf(graphqlStack, items, { serve: { maxMessageBytes: 2_000 } });
    const padded = JSON.stringify({ query: `subscription { download { index } } ${" ".repeat(3_000)}` });
    const { status, errors } = await graphqlPost(server, padded, { accept: "text/event-stream" });
    expect([status, errors[0]?.extensions["code"]]).toEqual([413, "RESOURCE_EXHAUSTED"]);
  });
});
