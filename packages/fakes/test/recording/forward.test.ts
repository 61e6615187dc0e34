// Calls that no stub answers go to real servers, over every style that has a client; what these lack, the fake answers.
import { create, type Message } from "@bufbuild/protobuf";
import {
  builtInContract,
  builtInImage,
  CallError,
  type CallContext,
  type CallOptions,
  type Client,
  contractFromImage,
  type Handler,
  type Handlers,
  type Operation,
  type ServerCall,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { allStacks, connectTo, loadServe, serveDefaults, type ServedService } from "@roundtrip/stacks";
import { memoryClient } from "@roundtrip/stacks/memory";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFake, type Fake, forwarding, type Stub, startFake } from "../../src/index.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const getName = contract.operation("roundtrip.v1.CustomerService.GetCustomerName");
const getMail = contract.operation("roundtrip.v1.CustomerService.GetCustomerMail");
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const download = contract.operation("roundtrip.v1.PayloadService.Download");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");
const styles = allStacks().filter(({ isDefault, style }) => isDefault && style !== "floor");

const refusal = new CallError("ABORTED", "not now", {
  reason: "BUSY",
  domain: "shop.example",
  metadata: { until: "noon" },
  violations: [{ field: "id", description: "is locked", reason: "lock" }],
});

/** The calls of the server, as it sees them. */
const seen: ServerCall[] = [];

const implemented: Handlers = new Map<string, Handler | StreamHandler>([
  [
    getCustomer.id,
    (_request: Message, call: CallContext) => {
      seen.push(call as ServerCall);
      call.answerMetadata.set("x-served-by", "the server");
      return create(getCustomer.output, { id: 7, name: "of the server" });
    },
  ],
  [getName.id, () => Promise.reject(refusal)],
  [
    download.id,
    async function* () {
      yield create(download.output, { data: new Uint8Array([1]) });
      yield create(download.output, { data: new Uint8Array([2]) });
      throw refusal;
    },
  ],
  [
    upload.id,
    async function* (requests: AsyncIterable<Message>) {
      let sizeBytes = 0;
      for await (const request of requests) sizeBytes += (request as unknown as { data: Uint8Array }).data.length;
      yield create(upload.output, { sizeBytes });
    },
  ],
]);

async function serve(stack: string, handlers: Handlers): Promise<ServedService> {
  return (await loadServe(stack))(serviceOf(contract, handlers), serveDefaults);
}

interface Forwarded extends AsyncDisposable {
  readonly fake: Fake;
  readonly client: Client;
}

function forwardedTo(stack: string, urls: readonly string[], stubs: readonly Stub[] = []): Forwarded {
  const { interceptor, [Symbol.asyncDispose]: close } = forwarding(
    urls.map((url) => ({ url, connect: (of) => connectTo(stack, of, { url }) })),
  );
  const fake = createFake({ contract, stubs, forward: interceptor });
  return { fake, client: memoryClient(() => fake.service), [Symbol.asyncDispose]: close };
}

type Init = Readonly<Record<string, unknown>>;

async function outcome(client: Client, operation: Operation, inits: readonly Init[], options?: CallOptions) {
  const requests = inits.map((init) => create(operation.input, init));
  const answers: Message[] = [];
  try {
    if (operation.kind === "unary") answers.push(await client.prepare(operation)(requests[0] as Message, options));
    else for await (const answer of client.prepareStream(operation)(requests, options)) answers.push(answer);
    return { answers, error: undefined };
  } catch (thrown) {
    const { code, message, details } = thrown as CallError;
    return { answers, error: { code, message, details } };
  }
}

const { code, message, details } = refusal;

/** Styles whose clients read streams of answers. */
const withStreams: ReadonlySet<string> = new Set(["connect", "graphql", "grpc", "rest"]);

describe.each(styles)("a server over $name", ({ name, style }) => {
  let whole: ServedService;
  let empty: ServedService;
  beforeAll(async () => {
    whole = await serve(name, implemented);
    empty = await serve(name, new Map());
  });
  afterAll(async () => {
    await Promise.all([whole.close(), empty.close()]);
  });

  test("answers with its headers, gets those of the caller and the deadline, and is in the log", async () => {
    await using forwarded = forwardedTo(name, [whole.url]);
    const received = new Map<string, string>();
    seen.length = 0;
    const metadata = new Map([
      ["x-tenant", "acme"],
      ["authorization", "Bearer 1"],
      ["origin", "https://app.example"],
      ["x-roundtrip-session", "mine"],
    ]);
    const onMetadata = (all: ReadonlyMap<string, string>): void =>
      all.forEach((value, key) => received.set(key, value));
    const options = { metadata, timeoutMs: 60_000, onMetadata };
    expect(await outcome(forwarded.client, getCustomer, [{ id: 7 }], options)).toMatchObject({
      answers: [{ id: 7, name: "of the server" }],
    });
    expect(received.get("x-served-by")).toBe("the server");
    const [call] = seen;
    expect(call?.metadata.get("x-tenant")).toBe("acme");
    expect(call?.metadata.get("authorization")).toBe("Bearer 1");
    expect(call?.metadata.has("x-roundtrip-session")).toBe(false);
    expect(call?.leftMs).toBeGreaterThan(0);
    expect(call?.leftMs).toBeLessThanOrEqual(60_000);
    expect(forwarded.fake.log.records).toMatchObject([{ forwardedTo: whole.url, outcome: "OK" }]);
    await outcome(forwarded.client, getCustomer, [{ id: 7 }]);
    expect(seen[1]?.leftMs).toBeUndefined();
  });

  test("fails with its own error and details", async () => {
    await using forwarded = forwardedTo(name, [whole.url]);
    expect((await outcome(forwarded.client, getName, [{ id: 7 }])).error).toEqual({ code, message, details });
    expect(forwarded.fake.log.records).toMatchObject([{ forwardedTo: whole.url, outcome: "ABORTED" }]);
  });

  test("leaves to the fake what it does not implement, with state", async () => {
    await using forwarded = forwardedTo(name, [whole.url]);
    const { answers, error } = await outcome(forwarded.client, getMail, [{ id: 7 }]);
    expect([answers.length, error]).toEqual([1, undefined]);
    expect(forwarded.fake.log.records).toMatchObject([{ forwardedTo: "", outcome: "OK" }]);
    expect(forwarded.fake.log.records[0]?.answerHeaders).toEqual({});
    const refused = await outcome(forwarded.client, sayHello, [{ name: "" }]);
    expect(refused.error).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("is asked after another that does not implement the operation", async () => {
    await using forwarded = forwardedTo(name, [empty.url, whole.url]);
    expect(await outcome(forwarded.client, getCustomer, [{ id: 7 }])).toMatchObject({
      answers: [{ name: "of the server" }],
    });
    expect((await outcome(forwarded.client, getName, [{ id: 7 }])).error).toEqual({ code, message, details });
  });

  test("is not asked for what a stub answers", async () => {
    const stub = { operation: "GetCustomer", when: { id: 8 }, response: { id: 8, name: "of a stub" } } as const;
    await using forwarded = forwardedTo(name, [whole.url], [stub]);
    expect(await outcome(forwarded.client, getCustomer, [{ id: 8 }])).toMatchObject({
      answers: [{ name: "of a stub" }],
    });
    expect(await outcome(forwarded.client, getCustomer, [{ id: 7 }])).toMatchObject({
      answers: [{ name: "of the server" }],
    });
  });

  test("streams answers, and its error after them, if its style has streams", async () => {
    await using forwarded = forwardedTo(name, [whole.url]);
    const streamed = await outcome(forwarded.client, download, [{ sizeBytes: 2 }]);
    // In REST, a download is bytes, whose error cuts the connection.
    expect(streamed).toMatchObject(
      withStreams.has(style)
        ? {
            answers: [{ data: new Uint8Array([1]) }, { data: new Uint8Array([2]) }],
            error: style === "rest" ? { code: "UNAVAILABLE" } : { code, message, details },
          }
        : { error: undefined },
    );
    expect(forwarded.fake.log.records).toMatchObject([{ forwardedTo: withStreams.has(style) ? whole.url : "" }]);
  });

  test("leaves streams to the fake that it does not implement, or that its style cannot carry", async () => {
    await using forwarded = forwardedTo(name, [empty.url]);
    const downloaded = await outcome(forwarded.client, download, [{ sizeBytes: 5 }]);
    expect([downloaded.answers.length > 0, downloaded.error]).toEqual([true, undefined]);
    const pieces = [{ data: new Uint8Array(3) }, { data: new Uint8Array(4) }];
    expect(await outcome(forwarded.client, upload, pieces)).toMatchObject({ answers: [{}], error: undefined });
    const { records } = forwarded.fake.log;
    expect(records[1]?.requests).toHaveLength(2);
    expect(records.map((record) => record.forwardedTo)).toEqual(["", ""]);
  });

  test("that cannot be reached fails calls with one line", async () => {
    const gone = await serve(name, new Map());
    await gone.close();
    await using forwarded = forwardedTo(name, [gone.url]);
    const { origin } = new URL(gone.url);
    const error = {
      code: "UNAVAILABLE",
      message: expect.stringMatching(
        new RegExp(`^the call cannot be forwarded: no server answers at ${origin}: connect ECONNREFUSED \\S+$`),
      ) as string,
    };
    expect((await outcome(forwarded.client, getCustomer, [{ id: 7 }])).error).toMatchObject(error);
    const streamed = await outcome(forwarded.client, download, [{ sizeBytes: 2 }]);
    expect(streamed).toMatchObject({ error: withStreams.has(style) ? error : undefined });
  });

  test("that does not answer keeps no call beyond its deadline", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const hanging: Handler = (_request, { signal }) => {
      signal.addEventListener("abort", () => resolve(signal.reason));
      return new Promise<never>(() => undefined);
    };
    const server = await serve(name, new Map([[getCustomer.id, hanging]]));
    await using forwarded = forwardedTo(name, [server.url]);
    const { error } = await outcome(forwarded.client, getCustomer, [{ id: 7 }], { timeoutMs: 300 });
    expect(error).toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(await ended).toBeInstanceOf(CallError);
    await server.close();
  });
});

const carryUploads = ["grpc-js", "connect-node"];
test.each(carryUploads)("a stream of requests reaches a server over %s", async (name) => {
  const server = await serve(name, implemented);
  const lacking = await serve(name, new Map());
  await using forwarded = forwardedTo(name, [lacking.url, server.url]);
  const pieces = [{ data: new Uint8Array(3) }, { data: new Uint8Array(4) }];
  expect(await outcome(forwarded.client, upload, pieces)).toMatchObject({ answers: [{ sizeBytes: 7 }] });
  expect(forwarded.fake.log.records).toMatchObject([{ forwardedTo: server.url }]);
  await Promise.all([server.close(), lacking.close()]);
});

test("a stream of requests that is too long to be sent again is not left to the fake", async () => {
  const refusing: StreamHandler = async function* (requests) {
    let bytes = 0;
    for await (const request of requests) {
      bytes += (request as unknown as { data: Uint8Array }).data.length;
      if (bytes > 9 * 1024 * 1024) throw new CallError("UNIMPLEMENTED", "too late");
    }
    yield create(upload.output);
  };
  const server = await serve("grpc-js", new Map([[upload.id, refusing]]));
  await using forwarded = forwardedTo("grpc-js", [server.url]);
  const pieces = Array.from({ length: 40 }, () => ({ data: new Uint8Array(256 * 1024) }));
  expect((await outcome(forwarded.client, upload, pieces)).error).toMatchObject({ code: "UNIMPLEMENTED" });
  await server.close();
});

/** The outcome of a call that is forwarded to a server of another project, which answers everything alike, except OPTIONS for a path that it has. */
async function forwardedOutcome(stack: string, status: number, body: unknown, toOptions = status, isStream = false) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const server = createServer(({ method }, response) => {
    const type = text === body ? "text/html" : "application/json";
    response.writeHead(method === "OPTIONS" ? toOptions : status, { "content-type": type }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using forwarded = forwardedTo(stack, [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  const [operation, request] = isStream ? [download, { sizeBytes: 1 }] : [getCustomer, { id: 7 }];
  const { answers, error } = await outcome(forwarded.client, operation, [request]);
  server.close();
  return { answers, error, by: forwarded.fake.log.records[0]?.forwardedTo === "" ? "the fake" : "the server" };
}

const invalid = { message: "Cannot query field.", locations: [{ line: 1, column: 2 }] };
test.each<readonly [string, number, unknown]>([
  ["rest-express", 404, "<h1>Cannot GET /v1/customers/7</h1>"],
  ["rest-express", 404, { statusCode: 404, message: "Route GET:/v1/customers/7 not found", error: "Not Found" }],
  ["rest-express", 404, { code: 5, message: "Not Found", details: [] }],
  ["rest-express", 405, ""],
  ["rest-express", 501, ""],
  ["graphql-apollo", 400, { errors: [{ ...invalid, extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] }],
  ["graphql-apollo", 200, { errors: [invalid] }],
  ["graphql-apollo", 404, "<h1>Not Found</h1>"],
])("what a server over %s lacks, as it says by %i and %j, the fake answers", async (...answered) => {
  expect(await forwardedOutcome(...answered)).toMatchObject({ answers: [{ id: 7 }], by: "the fake" });
});

test("a subscription to a server over GraphQL that sends no events, the fake answers", async () => {
  const body = { errors: [{ message: "the answer is application/json, not text/event-stream" }] };
  expect(await forwardedOutcome("graphql-apollo", 406, body, 406, true)).toMatchObject({
    error: undefined,
    by: "the fake",
  });
});

test.each<readonly [string, number, unknown]>([
  ["rest-express", 404, { code: 5, message: "no customer 7" }],
  ["rest-express", 404, { error: { code: 404, status: "NOT_FOUND", message: "no customer 7" } }],
  ["rest-express", 404, { title: "Not Found", status: 404, code: "NOT_FOUND", detail: "no customer 7" }],
  [
    "graphql-apollo",
    200,
    {
      data: { customer: null },
      errors: [{ ...invalid, message: "no customer 7", path: ["customer"], extensions: { code: "NOT_FOUND" } }],
    },
  ],
])("what a server over %s does not find, as it says by %i and %j, is not found", async (...answered) => {
  const error = { code: "NOT_FOUND", message: "no customer 7" };
  expect(await forwardedOutcome(...answered)).toMatchObject({ error, by: "the server" });
});

test.each([
  [{ code: 5, message: "Not Found", details: [] }, 501],
  [{ error: { code: 404, status: "NOT_FOUND", message: "Not Found" } }, 204],
])("a 404 with %j, of a path that answers OPTIONS with %i, is not found", async (body, toOptions) => {
  const error = { code: "NOT_FOUND", message: "Not Found" };
  expect(await forwardedOutcome("rest-express", 404, body, toOptions)).toMatchObject({ error, by: "the server" });
});

test("a page's call over REST reaches a server over gRPC, and a new contract new clients", async () => {
  const server = await serve("grpc-js", implemented);
  await using forwarded = forwarding([
    { url: server.url, connect: (of) => connectTo("grpc-js", of, { url: server.url }) },
  ]);
  await using fake = await startFake(contract, { stacks: ["rest-express"], forward: forwarded.interceptor });
  const name = async (): Promise<unknown> =>
    ((await (await fetch(`${fake.urls["rest-express"]}/v1/customers/7`)).json()) as { readonly name: string }).name;
  expect(await name()).toBe("of the server");
  await fake.replace({ contract: contractFromImage(builtInImage()) });
  expect(await name()).toBe("of the server");
  await server.close();
});
