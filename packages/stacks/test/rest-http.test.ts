// What an HTTP developer can rely on who has nothing but curl, and what answers of others mean to the client.
import { create, type Message } from "@bufbuild/protobuf";
import { realService } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import type { Problem } from "../../styles/src/rest/errors.ts";
import {
  caught,
  clientOf,
  contract,
  hello,
  helloService,
  pairOf,
  restStack,
  serviceWith,
  greeting,
} from "./support/pair.ts";
import { library } from "./support/library.ts";
import { CallError, type Client, type Metadata } from "@roundtrip/contract";
import { answeringServer, spokenTo } from "./support/wire.ts";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { loadStack } from "../src/index.ts";
import { compileContract } from "./support/compile-contract.ts";

async function curl(method: string, path: string, init: RequestInit = {}, maxMessageBytes = 1000) {
  const { server } = await pairOf(restStack, realService(contract), { serve: { maxMessageBytes } });
  const response = await fetch(server.url + path, { method, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const json = { "content-type": "application/json" };

describe("good requests", () => {
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
});

function sent(body: string | Buffer<ArrayBuffer>, coding = "identity"): RequestInit {
  return { body, headers: { ...json, "content-encoding": coding } };
}

describe("a refused request gets the reason in problem details", () => {
  const put = "/v1/customers/2/name";
  const codes = { 400: "INVALID_ARGUMENT", 404: "UNIMPLEMENTED", 405: "UNIMPLEMENTED", 413: "RESOURCE_EXHAUSTED" };
  test.for<[what: string, method: string, path: string, init: RequestInit, status: number]>([
    ["a path with an empty segment", "GET", "/v1/customers//name", {}, 404],
    ["a body that is large once decompressed", "PUT", put, sent(gzipSync("x".repeat(100_000)), "gzip"), 413],
    ["a form", "PUT", put, { body: new URLSearchParams({ name: "x" }) }, 415],
    ["a write without its value", "PUT", put, sent("{}"), 400],
    ["a body about somebody else than the path", "PATCH", "/v1/customers/2", sent('{"id":3,"name":"Eve"}'), 400],
    ["a broken percent-encoding", "GET", "/v1/customers/%zz", {}, 400],
  ])("%s", async ([, method, path, init, status]) => {
    const answer = await curl(method, path, init);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const code = codes[status as keyof typeof codes] ?? codes[400];
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

const empty = serviceWith(library, { async *Watch() {} });

describe("an answer is JSON for clients that accept JSON, and 406 for others", () => {
  const taken = [
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json;q=0.1",
    "text/html, application/*;q=0.5",
    "application/problem+json, application/json",
    "text/html, */*;q=0.1",
  ].map((accept) => [accept, 200, "application/json"] as const);
  const refused = ["text/html", "application/json;q=0", "application/json;q=0, */*;q=0.5", "*/*;q=0"]
    .concat("application/json; charset=latin1", "application/problem+json", "application/hal+json")
    .map((accept) => [accept, 406, "application/problem+json"] as const);
  test.for([...taken, ...refused])("Accept: %s gets %i", async ([accept, status, type]) => {
    const answer = await curl("GET", "/v1/customers/2", { headers: { accept } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, type]);
  });
});

describe("a stream has the form that the caller likes best", () => {
  test.for([
    ["application/x-ndjson; charset=utf-8", "application/x-ndjson"],
    ["text/event-stream;charset=utf-8", "text/event-stream"],
    ["application/x-ndjson;q=0.2, text/event-stream;q=0.3", "text/event-stream"],
    ["application/x-ndjson;q=0, */*", "text/event-stream"],
    ["text/event-stream;q=0, */*", "application/x-ndjson"],
    ["application/problem+json", "application/x-ndjson"],
  ] as const)("Accept: %s", async ([accept, expected]) => {
    const { server } = await pairOf(restStack, empty);
    const { status, headers } = await fetch(`${server.url}/v1/watch`, { headers: { accept } });
    expect([status, headers.get("content-type")]).toEqual([200, expected]);
  });
});

test("streams and refusals send Vary: Accept, which callers of the contract do not see", async () => {
  const watch = library.operation("library.v1.Library.Watch");
  const { server, client } = await pairOf(restStack, empty);
  const varies = async (path: string, accept: string) =>
    (await fetch(`${server.url}${path}`, { headers: { accept } })).headers.get("vary");
  expect(await varies("/v1/watch", "text/event-stream")).toBe("Accept");
  expect(await varies("/v1/watch", "application/x-ndjson")).toBe("Accept");
  expect(await varies("/v1/watch", "image/png")).toBe("Accept");
  const heard: Metadata[] = [];
  const options = { onMetadata: (one: Metadata) => heard.push(one) };
  const answers = client.prepareStream(watch)([create(watch.input)], options);
  const stream = answers[Symbol.asyncIterator]();
  expect((await stream.next()).done).toBe(true);
  expect(heard).toEqual([new Map()]);
});

describe("unknown fields are ignored on request, in every spelling of the preference", () => {
  test.for([
    ["handling=lenient", 200],
    ["respond-async, Handling = lenient", 200],
    ['handling="lenient"; strongly', 200],
    ["handling=strict", 400],
    ["mishandling=lenient", 400],
    ["return=minimal; handling=lenient", 400],
    ["handling=lenience", 400],
  ] as const)("Prefer: %s", async ([prefer, expected]) => {
    const { status } = await curl("PUT", "/v1/customers/2/name", {
      headers: { ...json, prefer },
      body: '{"name":"x","nosuch":1}',
    });
    expect(status).toBe(expected);
  });
});

describe("answers list what may be sent", () => {
  const put = "/v1/customers/2/name";

  test("415 for a media type says which one is read", async () => {
    const { status, headers } = await curl("PUT", put, { headers: { "content-type": "text/csv" }, body: "a,b" });
    expect([status, headers.get("accept")]).toEqual([415, "application/json"]);
  });

  test("415 for an encoding says which ones are read", async () => {
    const { status, headers } = await curl("PUT", put, {
      headers: { ...json, "content-encoding": "compress" },
      body: "{}",
    });
    expect([status, headers.get("accept-encoding")]).toEqual([415, "gzip, deflate, br, zstd"]);
  });

  test("OPTIONS says what a PATCH is sent as", async () => {
    expect((await curl("OPTIONS", "/v1/customers/2")).headers.get("accept-patch")).toBe("application/json");
    expect((await curl("OPTIONS", "/v1/customers")).headers.get("accept-patch")).toBeNull();
  });
});

test("a HEAD is answered with the headers of its GET, and with 405 if its path has no GET", async () => {
  const { server } = await pairOf(restStack, realService(contract));
  const head = (path: string) =>
    spokenTo(server.url, `HEAD ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: close\r\n\r\n`);
  for (const path of [
    "/v1/customers/2",
    "/v1/customers?pageSize=1",
    "/v1/customers/2/name",
    "/docs",
    "/openapi.yaml",
  ]) {
    const get = await fetch(server.url + path);
    const { length } = Buffer.from(await get.arrayBuffer());
    const answer = await head(path);
    expect([answer.status, answer.body]).toEqual([200, ""]);
    expect(answer.head).toMatch(new RegExp(`^content-length: ${length}\r?$`, "im"));
  }
  expect((await head("/v1/customers/2:changeId")).status).toBe(405);
});

test("a 401 says how to authenticate, which is no metadata", async () => {
  const locked = helloService((_request, { metadata }) => {
    if (metadata.get("authorization") !== "Bearer key") throw new CallError("UNAUTHENTICATED", "who are you?");
    return "in";
  });
  const { server, client } = await pairOf(restStack, locked);
  const response = await fetch(`${server.url}/v1/hello?name=x`);
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  const heard: Metadata[] = [];
  const onMetadata = (one: Metadata) => heard.push(one);
  expect((await caught(hello(client, "x", { onMetadata }))).code).toBe("UNAUTHENTICATED");
  expect(heard).toEqual([new Map()]);
  expect(await hello(client, "x", { metadata: new Map([["authorization", "Bearer key"]]) })).toBe("in");
});

function call(client: Client, method: string, request: Message): Promise<Message> {
  return client.prepare(contract.operation(`roundtrip.v1.CustomerService.${method}`))(request);
}

test("a creation that a gateway answers with 200 is a success", async () => {
  const json200 = { "content-type": "application/json" };
  const url = await answeringServer((response) => response.writeHead(200, json200).end('{"id":1}'));
  const client = await clientOf(restStack, greeting, { url });
  const request = create(pb.CreateCustomerRequestSchema, { customer: { id: 1 } });
  expect(await call(client, "CreateCustomer", request)).toMatchObject({ id: 1 });
});

test("a server that answers something else causes an error that states it", async () => {
  const url = await answeringServer((response, _body, request) => {
    const status = request.url?.includes("503") === true ? 503 : 200;
    response.writeHead(status, { "content-type": "text/html" }).end("<html>");
  });
  const client = await clientOf(restStack, greeting, { url });
  expect(await caught(hello(client, "x"))).toMatchObject({
    code: "UNKNOWN",
    message: "GET /v1/hello answered 200 with text/html, which is not of the contract",
  });
  const remove = create(pb.DeleteCustomerRequestSchema, { id: 1 });
  expect((await caught(call(client, "DeleteCustomer", remove))).code).toBe("UNKNOWN");
  expect(await caught(hello(client, "503"))).toMatchObject({
    code: "UNAVAILABLE",
    message: "HTTP 503: Service Unavailable",
  });
});

test("of two operations at one place the first keeps it, the second is where any operation is without annotations, and the view says so", async () => {
  const twice = compileContract(`
    syntax = "proto3";
    package twice.v1;
    import "google/api/annotations.proto";
    service Twice {
      rpc One(Nothing) returns (Nothing) { option (google.api.http) = {get: "/v1/{id}"}; }
      rpc Two(Nothing) returns (Nothing) { option (google.api.http) = {get: "/v1/{name}"}; }
    }
    message Nothing { string id = 1; string name = 2; }`);
  const [one, two] = ["One", "Two"].map((name) => twice.operation(`twice.v1.Twice.${name}`));
  const answer = (id: string) => () => create(twice.operation("twice.v1.Twice.One").output, { id });
  const { client } = await pairOf(restStack, serviceWith(twice, { One: answer("One"), Two: answer("Two") }));
  const stack = await loadStack(restStack);
  for (const operation of [one!, two!]) {
    // oxlint-disable-next-line no-await-in-loop
    const answered = await client.prepare(operation)(create(operation.input, { id: "1", name: "1" }));
    expect(answered).toMatchObject({ id: operation.method.name });
  }
  expect(stack.view(one!, twice)).toEqual({ signature: "GET /v1/{id}?name=", lost: [] });
  expect(stack.view(two!, twice)).toEqual({
    signature: "POST /twice.v1.Twice/Two {id, name}",
    lost: ["GET /v1/{name}: the same route as twice.v1.Twice.One, which the contract declares first"],
  });
});
