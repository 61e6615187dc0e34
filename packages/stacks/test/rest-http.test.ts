// What an HTTP developer can rely on who has nothing but curl.
import { serviceOf } from "@roundtrip/contract/service";
import { create, type Message } from "@bufbuild/protobuf";
import { realService } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import type { Problem } from "../../styles/src/rest/errors.ts";
import { contract, pairOf, restStack } from "./support/pair.ts";
import { library } from "./support/library.ts";

async function curl(method: string, path: string, init: RequestInit = {}, maxMessageBytes = 1000) {
  const { server } = await pairOf(restStack, realService(contract), { serve: { maxMessageBytes } });
  const response = await fetch(server.url + path, { method, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const json = { "content-type": "application/json" };

describe("good requests", () => {
  test("a read answers JSON with its length, and names no software", async () => {
    const { status, headers, text } = await curl("GET", "/v1/customers/2?readMask=name,mail");
    expect([status, text]).toEqual([200, '{"name":"Customer number 2","mail":"customer2@example.com"}']);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-length")).toBe(String(text.length));
    expect(headers.get("x-powered-by")).toBeNull();
  });

  test("HEAD answers like GET without a body", async () => {
    const { status, headers, text } = await curl("HEAD", "/v1/hello?name=World");
    expect([status, headers.get("content-length"), text]).toEqual([200, "27", ""]);
  });

  test("OPTIONS lists the methods of a path", async () => {
    const { status, headers } = await curl("OPTIONS", "/v1/customers/1");
    expect([status, headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS, PATCH"]);
  });

  test("a creation answers 201 with the place of what it created, which answers a read with the same", async () => {
    const { server } = await pairOf(restStack, realService(contract));
    const body = JSON.stringify({ id: 77_001, name: "Ada" });
    const created = await fetch(`${server.url}/v1/customers`, { method: "POST", body, headers: json });
    expect([created.status, created.headers.get("location")]).toEqual([201, "/v1/customers/77001"]);
    const read = await fetch(server.url + (created.headers.get("location") ?? ""));
    expect([read.status, await read.text()]).toEqual([200, await created.text()]);
  });

  test("a compressed body is read", async () => {
    const body = gzipSync('{"name":"Zip"}');
    const { text } = await curl("PUT", "/v1/customers/2/name", {
      body,
      headers: { ...json, "content-encoding": "gzip" },
    });
    expect(text).toBe('{"name":"Zip"}');
  });
});

describe("a refused request gets the reason in problem details", () => {
  const put = "/v1/customers/2/name";
  const bomb = { body: gzipSync("x".repeat(100_000)), headers: { ...json, "content-encoding": "gzip" } };
  test.for([
    ["an unknown path", "GET", "/v1/nothing", {}, 404, "UNIMPLEMENTED"],
    ["a path with an empty segment", "GET", "/v1/customers//name", {}, 404, "UNIMPLEMENTED"],
    ["a method that the path has not", "PUT", "/v1/customers/1", {}, 405, "UNIMPLEMENTED"],
    [
      "an answer that nobody can read",
      "GET",
      "/v1/customers/1",
      { headers: { accept: "text/html" } },
      406,
      "INVALID_ARGUMENT",
    ],
    [
      "a large body",
      "PUT",
      put,
      { body: JSON.stringify({ name: "x".repeat(1000) }), headers: json },
      413,
      "RESOURCE_EXHAUSTED",
    ],
    ["a body that is large once decompressed", "PUT", put, bomb, 413, "RESOURCE_EXHAUSTED"],
    ["a form", "PUT", put, { body: new URLSearchParams({ name: "x" }) }, 415, "INVALID_ARGUMENT"],
    [
      "an unknown encoding",
      "PUT",
      put,
      { body: "{}", headers: { ...json, "content-encoding": "zip" } },
      415,
      "INVALID_ARGUMENT",
    ],
    ["broken JSON", "PUT", put, { body: '{"name":', headers: json }, 400, "INVALID_ARGUMENT"],
    [
      "invalid UTF-8",
      "PUT",
      put,
      { body: Buffer.from('{"name":"\xff"}', "latin1"), headers: json },
      400,
      "INVALID_ARGUMENT",
    ],
    ["a write without its value", "PUT", put, { body: "{}", headers: json }, 400, "INVALID_ARGUMENT"],
    [
      "a body about somebody else than the path",
      "PATCH",
      "/v1/customers/2",
      { body: '{"id":3,"name":"Eve"}', headers: json },
      400,
      "INVALID_ARGUMENT",
    ],
    ["an unknown field", "PUT", put, { body: '{"nam":"x"}', headers: json }, 400, "INVALID_ARGUMENT"],
    ["a polluting key", "PUT", put, { body: '{"__proto__":{"name":"x"}}', headers: json }, 400, "INVALID_ARGUMENT"],
    ["a broken percent-encoding", "GET", "/v1/customers/%zz", {}, 400, "INVALID_ARGUMENT"],
    [
      "a deadline that is not a number",
      "GET",
      "/v1/customers/1",
      { headers: { "x-request-timeout-ms": "soon" } },
      400,
      "INVALID_ARGUMENT",
    ],
  ] as const)("%s", async ([, method, path, init, status, code]) => {
    const answer = await curl(method, path, init);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { status, code, type: "about:blank" }]);
  });

  test("fields are named as in JSON, in the text and in the violations", async () => {
    const mask = JSON.parse((await curl("GET", "/v1/customers/2?readMask=hat")).text) as Problem;
    expect([mask.detail, mask.violations?.[0]?.field]).toEqual(['readMask: Customer has no field "hat"', "readMask"]);
    const body = '{"id":2,"phoneNumber":"call me"}';
    const change = await curl("PATCH", "/v1/customers/2", { body, headers: json });
    expect(JSON.parse(change.text)).toMatchObject({
      detail: expect.stringMatching(/^customer\.phoneNumber: /) as string,
      violations: [{ field: "customer.phoneNumber", reason: "string.pattern" }],
    });
    const unreadable = await curl("PATCH", "/v1/customers/2", { body: '{"phoneNumber":7}', headers: json });
    expect(JSON.parse(unreadable.text)).toMatchObject({ violations: [{ field: "customer.phoneNumber" }] });
  });

  test("405 lists the methods of the path", async () => {
    const { headers } = await curl("POST", "/v1/hello");
    expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  test.for(["GET", "HEAD", "PATCH", "DELETE"])(
    "a custom verb is no value for other methods: 405 for %s",
    async (method) => {
      const { status, headers } = await curl(method, "/v1/customers/20:changeId");
      expect([status, headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
      const options = await curl("OPTIONS", "/v1/customers/20:changeId");
      expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
    },
  );
});

describe("a contract with everything", () => {
  const echo = serviceOf(
    library,
    new Map(
      library.operations.map(({ id, input, output, kind }) => {
        const answer = (request: Message): Message => (input === output ? request : create(output));
        async function* answers(requests: AsyncIterable<Message>): AsyncGenerator<Message> {
          for await (const request of requests) yield answer(request);
        }
        return [id, kind === "unary" ? answer : answers] as const;
      }),
    ),
  );

  test.for([
    ["a resource name of several segments", "GET", "/v1/files/a%2Fb/c%20d", undefined, 200, "[]"],
    ["a stream", "GET", "/v1/watch", undefined, 200, "{}\n"],
    ["a custom verb", "PATCH", "/v1/shelves/1/books/2/x:change", "{}", 200, "{}"],
    ["the default binding", "POST", "/library.v1.Library/Bare", '{"big":"9007199254740993"}', 200, "9007199254740993"],
    ["a map as body", "POST", "/v1/tags", '{"a":1}', 204, ""],
    ["a body field of another type", "POST", "/v1/tags", "[1]", 400, "labels"],
    [
      "query parameters for every kind",
      "GET",
      "/v1/things/a?numbers=1&numbers=-2&nested.colours=COLOUR_RED&at=2020-01-01T00:00:00Z&wrappedFlag=false&mask=text,nested.number",
      undefined,
      200,
      '{"text":"a","numbers":["1","-2"],"nested":{"colours":["COLOUR_RED"]},"wrappedFlag":false,"at":"2020-01-01T00:00:00Z","mask":"text,nested.number"}',
    ],
  ] as const)("%s", async ([, method, path, body, status, expected]) => {
    const { server } = await pairOf(restStack, echo);
    const init = body === undefined ? { method } : { method, body, headers: json };
    const response = await fetch(server.url + path, init);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(expected)]);
  });
});
