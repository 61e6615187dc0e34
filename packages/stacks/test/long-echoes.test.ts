// Errors repeat what a caller sent: names, values and paths. However long that was, an error is short, in every style.
import { CallError, maxErrorText } from "@roundtrip/contract";
import { create } from "@bufbuild/protobuf";
import { EchoResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http2";
import { describe, expect, test } from "vitest";
import { conformanceService } from "./support/streams.ts";
import { bareCall, countingRelay } from "./support/wire.ts";
import {
  caught,
  clientOf,
  defaultStacks,
  hello,
  helloService,
  endsUnderTest,
  pairOf,
  greeting,
  served,
} from "./support/pair.ts";

const long = "👋".repeat(25_000);
const name = "a".repeat(100_000);
const header = "x".repeat(60_000);
const twice = `{"${long}": 1, "${long}": 1}`;
const json = { "content-type": "application/json" };
const xml = { "content-type": "text/xml" };
const rpc = { jsonrpc: "2.0", id: 1, method: "roundtrip.v1.HelloService.SayHello" };
const hellos = "urn:protobuf:service:roundtrip:v1:HelloService";

const connectHello = "/roundtrip.v1.HelloService/SayHello";
const connectDownload = "/roundtrip.v1.PayloadService/Download";
const connectJson = { "content-type": "application/connect+json" };
const webJson = { "content-type": "application/grpc-web+json" };

/** A message of a stream. */
function envelope(message: string, flags = 0): Buffer {
  const bytes = Buffer.from(message);
  const prefix = Buffer.from([flags, 0, 0, 0, 0]);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

interface Sent {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const enveloped = (content: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;

const sent: Readonly<Record<string, Readonly<Record<string, Sent>>>> = {
  rest: {
    "a path": { path: `/${header}` },
    "a segment": { path: `/v1/customers/${header}` },
    "a parameter": { path: `/v1/hello?${header}=1` },
    "a media type": { path: "/v1/hello?name=x", headers: { accept: header } },
    "a deadline": { path: "/v1/hello?name=x", headers: { "x-request-timeout-ms": header } },
    "a field": { path: "/v1/customers", headers: json, body: { [long]: 1 } },
    "a value": { path: "/v1/customers", headers: json, body: { id: long } },
    "a coding": { path: "/v1/customers", headers: { ...json, "content-encoding": header }, body: {} },
  },
  graphql: {
    "a field": { path: "/graphql", headers: json, body: { query: `{ ${name} }` } },
    "an argument": { path: "/graphql", headers: json, body: { query: `{ sayHello(${name}: 1) { message } }` } },
    "a fragment": { path: "/graphql", headers: json, body: { query: `{ ...${name} }` } },
    "an alias": { path: "/graphql", headers: json, body: { query: `{ ${name}: sayHello(name: "x") { message } }` } },
    "a variable": {
      path: "/graphql",
      headers: json,
      body: { query: "query ($id: Int!) { customer(id: $id) { id } }", variables: { id: long } },
    },
    "an operation": { path: "/graphql", headers: json, body: { query: "{ __typename }", operationName: long } },
    "a path": { path: `/${header}` },
  },
  "json-rpc": {
    "a method": { path: "/rpc", headers: json, body: { ...rpc, method: long } },
    "an id": { path: "/rpc", headers: json, body: { ...rpc, id: long, params: { name: "x" } } },
    "a field": { path: "/rpc", headers: json, body: { ...rpc, params: { [long]: 1 } } },
    "a path": { path: `/${header}` },
  },
  soap: {
    "an element": { path: "/soap", headers: xml, body: enveloped(`<${name}/>`) },
    "a namespace": { path: "/soap", headers: xml, body: enveloped(`<m:SayHello xmlns:m="${name}"/>`) },
    "a field": {
      path: "/soap",
      headers: xml,
      body: enveloped(`<m:SayHello xmlns:m="${hellos}"><${name}/></m:SayHello>`),
    },
    "an action": {
      path: "/soap",
      headers: { ...xml, soapaction: header },
      body: enveloped(`<m:SayHello xmlns:m="${hellos}"><name>x</name></m:SayHello>`),
    },
  },
  connect: {
    "a path": { path: `/${header}`, headers: json, body: {} },
    "a field": { path: connectHello, headers: json, body: { [long]: 1 } },
    "a field twice": { path: connectHello, headers: json, body: twice },
    "a field twice in a stream": { path: connectDownload, headers: connectJson, body: envelope(twice) },
    "a field twice over gRPC-Web": { path: connectHello, headers: webJson, body: envelope(twice) },
    "a deadline": { path: connectHello, headers: { ...json, "connect-timeout-ms": header }, body: {} },
    "a deadline of a stream": {
      path: connectDownload,
      headers: { ...connectJson, "connect-timeout-ms": header },
      body: envelope("{}"),
    },
    "a deadline of gRPC-Web": { path: connectHello, headers: { ...webJson, "grpc-timeout": header }, body: "" },
    "a coding": { path: connectHello, headers: { ...json, "content-encoding": header }, body: {} },
    "a coding of a stream": {
      path: connectDownload,
      headers: { ...connectJson, "connect-content-encoding": header },
      body: envelope("{}"),
    },
    "a coding of gRPC-Web": { path: connectHello, headers: { ...webJson, "grpc-encoding": header }, body: "" },
    "a coding of a GET": { path: `${connectHello}?connect=v1&encoding=json&message={}&compression=${header}` },
  },
};

const overHttp1 = endsUnderTest("server").filter(({ style }) => Object.hasOwn(sent, style));

describe.each(overHttp1)("$name", ({ name: stackName, style }) => {
  test.each(Object.entries(sent[style] ?? {}))(
    "answers %s of any length shortly",
    async (_what, { path, headers, body }) => {
      const server = await served(stackName, greeting);
      const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      const init = body === undefined ? {} : { method: "POST", body: text };
      const answer = await fetch(new URL(server.url).origin + path, { ...init, headers: headers ?? {} });
      const length = (await answer.text()).length + [...answer.headers].join("").length;
      expect(length).toBeLessThan(8 * maxErrorText);
      expect(answer.status === 200 && style === "rest").toBe(false);
    },
  );
});

const overGrpc = endsUnderTest("server").filter(({ style }) => style === "grpc");

describe.each(overGrpc)("$name", ({ name: stackName }) => {
  test.each([
    ["a path", { ":path": `/${header}` }],
    ["a deadline", { "grpc-timeout": header }],
    ["a coding", { "grpc-encoding": header }],
    ["a media type", { "content-type": `application/grpc+${header}` }],
  ])("answers %s of any length shortly", async (_what, headers) => {
    const server = await served(stackName, greeting);
    const stream = bareCall(server.url, connectHello, headers);
    let length = 0;
    const count = (received: IncomingHttpHeaders): void => void (length += JSON.stringify(received).length);
    stream.on("response", count).on("trailers", count).on("data", count).end(envelope("not gzip", 1));
    await once(stream, "close");
    expect(length).toBeGreaterThan(10);
    expect(length).toBeLessThan(8 * maxErrorText);
  });
});

test("Connect answers the unknown type of an Any of any length shortly", async () => {
  const { server } = await pairOf("connect-node", conformanceService({ echo: () => create(EchoResponseSchema) }));
  const wellKnown = { any: { "@type": `${long}/x` } };
  const answer = await fetch(`${server.url}/roundtrip.conformance.v1.ConformanceService/Echo`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ values: { wellKnown } }),
  });
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: "invalid_argument", message: expect.stringMatching(/Any/) });
  expect(text.length).toBeLessThan(2 * maxErrorText);
});

describe.each(defaultStacks().filter(({ style }) => style !== "floor"))("$name", ({ name: stackName }) => {
  test("cuts every text of a handler's error, not within a character", async () => {
    const service = helloService(() => {
      const violations = [{ field: `x${long}`, description: long, reason: long }];
      const metadata = { id: long };
      throw new CallError("NOT_FOUND", `no customer ${long}`, { reason: long, domain: long, metadata, violations });
    });
    const { server } = await pairOf(stackName, service);
    const relay = await countingRelay(server.url);
    const client = await clientOf(stackName, service, { url: relay.url });
    const { code, message, details } = await caught(hello(client, "x"));
    expect(relay.toClient).toBeLessThan(40 * maxErrorText);
    expect(code).toBe("NOT_FOUND");
    expect(message).toMatch(/^no customer (👋)+…?$/u);
    expect(message.length).toBeLessThanOrEqual(maxErrorText + 1);
    for (const { field, description } of details.violations) {
      expect(Math.max(field.length, description.length)).toBeLessThanOrEqual(maxErrorText + 1);
      expect(field.isWellFormed()).toBe(true);
    }
  });
});
