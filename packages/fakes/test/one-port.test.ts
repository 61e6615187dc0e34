// One port for every style: each client of the project and plain requests in both versions of HTTP, with and without TLS.
import { create, fromBinary } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { builtInContract, contractOfServices, type Contract, withMetadata } from "@roundtrip/contract";
import { ServerReflection } from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { connectTo } from "@roundtrip/stacks";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeHandlers, type StartedFake, startFake } from "../src/index.ts";

const contract = builtInContract();
const stacks = [
  "graphql-apollo",
  "grpc-js",
  "rest-express",
  "connect-node",
  "json-rpc-node-http",
  "soap-node-http",
] as const;
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const streamProducts = contract.operation("roundtrip.v1.ProductService.StreamProducts");

const callers = [
  ...stacks.map((stack) => ({ stack, settings: {} })),
  ...["grpc-js+node-http2", "grpc-js+connect-node", "rest-express+fetch", "connect-node+fetch"].map((stack) => ({
    stack,
    settings: {},
  })),
  { stack: "connect-node", settings: { http: "2" } },
  { stack: "connect-node", settings: { protocol: "grpc-web" } },
  { stack: "connect-node", settings: { http: "2", protocol: "grpc-web", encoding: "json" } },
];

describe.each([false, true])("with TLS: %s", (tls) => {
  let fake: StartedFake;
  let name: string;
  beforeAll(async () => {
    fake = await startFake(contract, { stacks, tls });
    const client = await fake.connect("memory");
    ({ name } = (await client.prepare(getCustomer)(create(getCustomer.input, { id: 7 }))) as never);
  });
  afterAll(() => fake.close());

  it("has one address", () => {
    expect(new Set(Object.values(fake.urls).map((url) => new URL(url).host)).size).toBe(1);
  });

  it.each(callers)(
    "answers $stack with $settings: a call, an error, a stream where the style has them",
    async ({ stack, settings }) => {
      const url = fake.urls[stack.split("+", 1)[0] ?? ""] ?? "";
      const client = await connectTo(stack, contract, { url, settings, ca: fake.ca });
      try {
        const get = client.prepare(getCustomer);
        expect(await get(create(getCustomer.input, { id: 7 }))).toMatchObject({ id: 7, name });
        await expect(get(create(getCustomer.input, { id: 9999 }))).rejects.toMatchObject({
          code: "NOT_FOUND",
        });
        if (/^(?:json-rpc|soap)/.test(stack)) return;
        const products = client.prepareStream(streamProducts)([create(streamProducts.input)], {});
        for await (const page of products) {
          expect(page.$typeName).toBe("roundtrip.v1.ListProductsResponse");
          break;
        }
      } finally {
        await client.close();
      }
    },
  );
});

interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function overHttp1(url: string, { path, method = "GET", headers = {}, body }: Asked): Promise<Heard> {
  const asked = request(`${url}${path}`, { method, headers, agent: false });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

async function overHttp2(session: ClientHttp2Session, { path, method = "GET", headers = {}, body }: Asked) {
  const { host, ...plain } = headers;
  const authority = host === undefined ? {} : { ":authority": host };
  const stream = session.request({ ":path": path, ":method": method, ...authority, ...plain });
  stream.end(body);
  const [answered] = (await once(stream, "response")) as [IncomingHttpHeaders];
  return { status: Number(answered[":status"]), headers: answered, body: await text(stream) };
}

const json = { "content-type": "application/json" };
const method = "/roundtrip.v1.CustomerService/GetCustomer";
const foreign = { origin: "https://evil.example" };

/** What is asked, and a part of the answer. */
const requests: readonly (Asked & { readonly status: number; readonly answer: RegExp })[] = [
  { path: "/v1/customers/7", status: 200, answer: /"id":7/ },
  { path: "/v1/custmers/7", status: 404, answer: /nothing at \/v1\/custmers\/7/ },
  { path: "/graphql", status: 400, answer: /the schema is at \/graphql\/schema.graphql/ },
  { path: "/openapi.yaml", status: 200, answer: /^openapi: /m },
  { path: "/openapi.json", status: 200, answer: /^\{"openapi":/ },
  { path: "/graphql/schema.graphql", status: 200, answer: /^type Query/m },
  { path: "/docs", headers: { accept: "text/html" }, status: 200, answer: /<html/ },
  { path: "/graphql", headers: { accept: "text/html" }, status: 200, answer: /<html/ },
  { path: "/graphql?query=%7B__typename%7D", status: 200, answer: /"__typename":"Query"/ },
  { path: "/rpc", headers: { accept: "text/html" }, status: 200, answer: /<html/ },
  { path: "/openrpc.json", status: 200, answer: /"openrpc"/ },
  { path: "/soap?wsdl", status: 200, answer: /<wsdl:definitions/ },
  { path: method, method: "POST", headers: json, body: '{"id":7}', status: 200, answer: /"id":7/ },
  { path: `${method}?connect=v1&encoding=json&message=%7B%22id%22%3A7%7D`, status: 200, answer: /"id":7/ },
  {
    path: `${method}s`,
    method: "POST",
    headers: { "connect-protocol-version": "1", ...json },
    body: "{}",
    status: 404,
    answer: /unimplemented/,
  },
  {
    path: `${method}s`,
    method: "POST",
    headers: json,
    body: "{}",
    status: 404,
    answer: /did you mean \\"GET \/v1\/customers\/\{id\}\\"/,
  },
  {
    path: "/rpc",
    method: "POST",
    headers: json,
    body: '{"jsonrpc":"2.0","id":1,"method":"GetCustmer"}',
    status: 200,
    answer: /did you mean \\"[\w.]*GetCustomer\\"/,
  },
  { path: "/grpc.health.v1.Health/Check", method: "POST", headers: json, body: "{}", status: 200, answer: /SERVING/ },
  { path: "/v1/customers/99999", method: "DELETE", status: 404, answer: /NOT_FOUND/ },
  { path: "/v1/customers/7", method: "HEAD", status: 200, answer: /^$/ },
  { path: "/v1/customers", method: "OPTIONS", status: 204, answer: /^$/ },
  { path: "/v1/customers/7", headers: { host: "evil.example" }, status: 421, answer: /evil\.example/ },
  { path: "/v1/customers/7", method: "DELETE", headers: foreign, status: 403, answer: /evil\.example/ },
  {
    path: "/graphql",
    method: "POST",
    headers: { ...json, ...foreign },
    body: "{}",
    status: 403,
    answer: /evil\.example/,
  },
  {
    path: method,
    method: "POST",
    headers: { ...json, ...foreign },
    body: '{"id":7}',
    status: 403,
    answer: /evil\.example/,
  },
];

/** Documents, and the methods of each. */
const documents: readonly (readonly [path: string, allow: string])[] = [
  ...["/openapi.yaml", "/openapi.json", "/docs", "/graphql/schema.graphql", "/openrpc.json"].map(
    (path) => [path, "GET, HEAD, OPTIONS"] as const,
  ),
  ["/rpc", "GET, HEAD, OPTIONS, POST"],
  ["/soap", "GET, HEAD, OPTIONS, POST"],
];

describe("requests without a client library", () => {
  let fake: StartedFake;
  let url: string;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    fake = await startFake(contract, { stacks });
    url = fake.urls["rest-express"] ?? "";
    session = connectHttp2(url);
  });
  afterAll(async () => {
    session.destroy();
    await fake.close();
  });

  it.each(requests)("$method $path $headers", async ({ status, answer, ...asked }) => {
    const heard = [await overHttp1(url, asked), await overHttp2(session, asked)];
    expect(heard).toMatchObject([{ status }, { status }]);
    for (const { body } of heard) expect(body).toMatch(answer);
  });

  it.each(documents)("%s says which methods it has: %s", async (path, allow) => {
    for (const asked of ["OPTIONS", "DELETE", "PUT"]) {
      // oxlint-disable-next-line no-await-in-loop
      const heard = await Promise.all([
        overHttp1(url, { path, method: asked }),
        overHttp2(session, { path, method: asked }),
      ]);
      for (const { status, headers } of heard) {
        expect([asked, status, headers["allow"]]).toEqual([asked, asked === "OPTIONS" ? 204 : 405, allow]);
      }
    }
    const [options, refused] = [
      await overHttp1(url, { path: "/graphql", method: "OPTIONS" }),
      await overHttp1(url, { path: "/graphql", method: "PUT" }),
    ];
    expect([options.status, options.headers["allow"]]).toEqual([204, "GET, OPTIONS, POST"]);
    expect([refused.status, refused.headers["allow"]]).toEqual([405, "GET, OPTIONS, POST"]);
  });

  it("refuses over HTTP/2 what HTTP/1.1 cannot express", async () => {
    expect(await overHttp2(session, { path: "/v1/customers/7\u00e9" })).toMatchObject({ status: 400 });
  });

  it("cancels the call of a caller that leaves, over HTTP/2 too", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const handlers = fakeHandlers(CustomerService, {
      getCustomer(_request, { signal }) {
        begun.resolve(signal);
        return new Promise<never>(() => {});
      },
    });
    await using hanging = await startFake(contract, { stacks, handlers });
    const caller = connectHttp2(hanging.urls["rest-express"] ?? "");
    const call = caller.request({ ":path": "/v1/customers/7" });
    call.on("error", () => undefined);
    const signal = await begun.promise;
    const left = signal.aborted ? Promise.resolve() : once(signal, "abort");
    call.close();
    await left;
    expect(signal.reason).toMatchObject({ code: "CANCELLED" });
    caller.destroy();
  });

  it("tells a caller of gRPC over HTTP/1.1 what it needs", async () => {
    const headers = { "content-type": "application/grpc" };
    expect(await overHttp1(url, { path: method, method: "POST", headers })).toMatchObject({ status: 505 });
  });

  it("reads first bytes that come one by one", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").setNoDelay();
    await once(socket, "connect");
    for (const byte of "PRI /v1/customers/7") {
      socket.write(byte);
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end(" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("takes requests of several styles on one connection, whose order it keeps", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const lines = ["/v1/customers/7", "/graphql?query=%7B__typename%7D", "/openrpc.json"];
    socket.end(lines.map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(""));
    expect(await text(socket)).toMatch(/"id":7[^]*"__typename"[^]*"openrpc"/);
  });

  it("refuses a message over the limit in each version", async () => {
    const body = JSON.stringify({ customer: { name: "x".repeat(5 * 1024 * 1024) } });
    const asked = { path: "/v1/customers", method: "POST", headers: json, body };
    const heard = await overHttp2(session, asked);
    expect(heard).toMatchObject({ status: 413 });
    expect(heard.body).toMatch(/RESOURCE_EXHAUSTED/);
  });
});

it.each(["grpc", "connect"] as const)("reflects the contract over %s", async (style) => {
  await using fake = await startFake(contract);
  const reflection = contractOfServices(ServerReflection);
  const info = reflection.operation("grpc.reflection.v1.ServerReflection.ServerReflectionInfo");
  const stack = style === "grpc" ? "grpc-js" : "connect-node";
  const settings = style === "grpc" ? {} : { http: "2" };
  const client = await connectTo(stack, reflection, { url: fake.urls[stack] ?? "", settings });
  const asked = [
    create(info.input, { messageRequest: { case: "listServices", value: "" } }),
    create(info.input, {
      messageRequest: { case: "fileContainingSymbol", value: "roundtrip.v1.HelloService" },
    }),
  ];
  const [services, files] = (await Array.fromAsync(client.prepareStream(info)(asked, {}))) as unknown as {
    readonly messageResponse: { readonly value: Record<string, unknown> };
  }[];
  await client.close();
  expect(services?.messageResponse.value["service"]).toContainEqual(
    expect.objectContaining({ name: "roundtrip.v1.HelloService" }),
  );
  const [file] = (files?.messageResponse.value["fileDescriptorProto"] ?? []) as Uint8Array[];
  expect(fromBinary(FileDescriptorProtoSchema, file ?? new Uint8Array()).name).toBe("roundtrip/v1/hello.proto");
});

it("streams in both directions over the client of Connect that startFake gives", async () => {
  const streaming: Contract = conformanceContract();
  const echo = streaming.operations.find(({ kind }) => kind === "bidi_streaming");
  if (echo === undefined) throw new Error("the conformance contract has no such method");
  await using fake = await startFake(streaming, { stacks: ["connect-node"] });
  const client = withMetadata(await fake.connect("connect-node"), new Map());
  const answers = client.prepareStream(echo)([create(echo.input), create(echo.input)], {});
  await expect(Array.fromAsync(answers)).resolves.toBeInstanceOf(Array);
});

it("closes with connections of every kind open", async () => {
  const fake = await startFake(contract, { stacks });
  const url = fake.urls["rest-express"] ?? "";
  const { port } = new URL(url);
  const silent = connect(Number(port), "127.0.0.1");
  const idle = connect(Number(port), "127.0.0.1");
  const session = connectHttp2(url);
  idle.write("GET /v1/customers/7 HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await Promise.all([once(silent, "connect"), once(idle, "data"), once(session, "remoteSettings")]);
  const closed = [silent, idle, session].map((open) => once(open, "close"));
  await fake.close();
  silent.resume();
  idle.resume();
  await expect(Promise.all(closed)).resolves.toHaveLength(3);
});
