// Errors repeat what a caller sent: names, values and paths. However long that was, an error is short, in every style.
import { CallError, maxErrorText } from "@roundtrip/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadServe, serveDefaults } from "../src/index.ts";
import { caught, defaultStacks, hello, helloService, oneOfEach, pairOf, greeting } from "./support/pair.ts";

const long = "👋".repeat(25_000);
const name = "a".repeat(100_000);
const header = "x".repeat(60_000);
const json = { "content-type": "application/json" };
const xml = { "content-type": "text/xml" };
const rpc = { jsonrpc: "2.0", id: 1, method: "roundtrip.v1.HelloService.SayHello" };
const hellos = "urn:protobuf:service:roundtrip:v1:HelloService";

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
    "a field": { path: "/roundtrip.v1.HelloService/SayHello", headers: json, body: { [long]: 1 } },
  },
};

const overHttp1 = oneOfEach("server").filter(({ style }) => Object.hasOwn(sent, style));

describe.each(overHttp1)("$name", ({ name: stackName, style }) => {
  test.each(Object.entries(sent[style] ?? {}))(
    "answers %s of any length shortly",
    async (_what, { path, headers, body }) => {
      const serve = await loadServe(stackName);
      const server = await serve(greeting, serveDefaults);
      onTestFinished(() => server.close());
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const init = body === undefined ? {} : { method: "POST", body: text };
      const answer = await fetch(new URL(server.url).origin + path, { ...init, headers: headers ?? {} });
      const length = (await answer.text()).length + [...answer.headers].join("").length;
      expect(length).toBeLessThan(8 * maxErrorText);
      expect(answer.status === 200 && style === "rest").toBe(false);
    },
  );
});

describe.each(defaultStacks().filter(({ style }) => style !== "floor"))("$name", ({ name: stackName }) => {
  test("cuts the message and the violations of a handler's error, not within a character", async () => {
    const service = helloService(() => {
      const violations = [{ field: `x${long}`, description: long, reason: "long" }];
      throw new CallError("NOT_FOUND", `no customer ${long}`, { violations });
    });
    const { client } = await pairOf(stackName, service);
    const { code, message, details } = await caught(hello(client, "x"));
    expect(code).toBe("NOT_FOUND");
    expect(message).toMatch(/^no customer (👋)+…?$/u);
    expect(message.length).toBeLessThanOrEqual(maxErrorText + 1);
    for (const { field, description } of details.violations) {
      expect(Math.max(field.length, description.length)).toBeLessThanOrEqual(maxErrorText + 1);
      expect(field.isWellFormed()).toBe(true);
    }
  });
});
