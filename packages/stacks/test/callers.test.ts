// Which callers a server answers: hosts under which it is reached, and pages of other origins.
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http2";
import { describe, expect, test } from "vitest";
import { allStacks, type ServeOptions } from "../src/index.ts";
import { certificate, contract, greeting, endsUnderTest, restStack, sayHello, served } from "./support/pair.ts";
import { bytesOf, type Call, calls, json } from "./support/hello-calls.ts";
import { bareCall, spokenTo } from "./support/wire.ts";
import type { Message } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { compileContract } from "./support/compile-contract.ts";

async function urlOf(stackName: string, options: Partial<ServeOptions> = {}): Promise<URL> {
  return new URL((await served(stackName, greeting, options)).url);
}

const overHttp1 = endsUnderTest("server").filter(({ style }) => Object.hasOwn(calls, style));
const overHttp2 = endsUnderTest("server").filter(({ style }) => style === "grpc");
const connectOverHttp2 = { settings: { http: "2" } };

/** The status of SayHello over HTTP/2 with these headers: that of HTTP, unless gRPC has one of its own. */
async function statusOverHttp2(url: string, type: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const stream = bareCall(url, "/roundtrip.v1.HelloService/SayHello", { "content-type": type, ...headers });
  stream.end(type.startsWith("application/json") ? '{"name":"x"}' : Buffer.from([0, 0, 0, 0, 3, 10, 1, 0x78]));
  let status = "";
  const take = (received: IncomingHttpHeaders): void => {
    status = String(received["grpc-status"] ?? received[":status"]);
  };
  stream.on("response", take).on("trailers", take).resume();
  await once(stream, "close");
  return status;
}

/** Hosts by whether a server on loopback answers for them. */
const hosts: readonly (readonly [string, boolean])[] = [
  ["127.0.0.1", true],
  ["127.0.0.2:80", true],
  ["localhost:8080", true],
  ["LOCALHOST", true],
  ["shop.localhost", true],
  ["[::1]:9", true],
  ["evil.example", false],
  ["evil.example:8080", false],
  ["localhost.evil.example", false],
  ["evillocalhost", false],
  ["127.0.0.1.evil.example", false],
  ["10.0.0.1", false],
  ["[::2]", false],
];

describe.each(overHttp1)("$name, on loopback", ({ name, style }) => {
  const call = calls[style] as Call;

  test("answers for names of this machine, and refuses all others before the call", async () => {
    const { href } = await urlOf(name);
    for (const [host, isOwn] of hosts) {
      const { status, body } = await spokenTo(href, bytesOf(call, host));
      expect([host, status]).toEqual([host, isOwn ? 200 : 421]);
      expect(isOwn ? "PERMISSION_DENIED" : body.toUpperCase()).toContain("PERMISSION_DENIED");
      expect(isOwn ? "allowedHosts" : body).toContain("allowedHosts");
    }
  });

  test("answers for a name that is allowed, by option and by setting", async () => {
    const { href } = await urlOf(name, { allowedHosts: ["shop.example"], settings: { allowedHosts: "a.example+b" } });
    for (const [host, status] of [
      ["shop.example:80", 200],
      ["a.example", 200],
      ["B", 200],
      ["c.example", 421],
      ["loopback", 421],
    ] as const) {
      expect([host, (await spokenTo(href, bytesOf(call, host))).status]).toEqual([host, status]);
    }
    const open = await urlOf(name, { settings: { allowedHosts: "*" } });
    expect((await spokenTo(open.href, bytesOf(call, "evil.example"))).status).toBe(200);
  });

  test("answers for every name on other interfaces", async () => {
    const { port } = await urlOf(name, { host: "0.0.0.0" });
    expect((await spokenTo(`http://127.0.0.1:${port}`, bytesOf(call, "shop.example"))).status).toBe(200);
  });
});

describe.each(overHttp2)("$name, on loopback", ({ name }) => {
  test("answers for names of this machine, and refuses all others before the call", async () => {
    const { href } = await urlOf(name);
    for (const [host, isOwn] of hosts) {
      const status = await statusOverHttp2(href, "application/grpc", { ":authority": host });
      expect([host, status]).toEqual([host, isOwn ? "0" : "7"]);
    }
  });
});

test("pages are only for names of this machine too, over TLS as well", async () => {
  for (const [stack, path] of [
    [restStack, "/docs"],
    [restStack, "/openapi.yaml"],
    ["graphql-yoga", "/graphql"],
    ["json-rpc-node-http", "/rpc"],
    ["soap-node-http", "/soap?wsdl"],
  ] as const) {
    const tls = await certificate;
    const { origin } = await urlOf(stack, { tls });
    const opened = { method: "GET", path, headers: { accept: "text/html" }, body: "" };
    expect([stack, (await spokenTo(origin, bytesOf(opened, "evil.example"))).status]).toEqual([stack, 421]);
    expect([stack, (await spokenTo(origin, bytesOf(opened, "localhost"))).status]).toEqual([stack, 200]);
  }
});

test("Connect over HTTP/2 answers for names of this machine only", async () => {
  const { href } = await urlOf("connect-node", connectOverHttp2);
  for (const [authority, status] of [
    ["localhost", "200"],
    ["evil.example", "421"],
  ] as const) {
    expect([authority, await statusOverHttp2(href, "application/json", { ":authority": authority })]).toEqual([
      authority,
      status,
    ]);
  }
});

const whole = (host: string): Call => ({ ...(calls["rest"] as Call), path: `http://${host}/v1/hello?name=x` });

test("a whole URL as the target counts as the host", async () => {
  const { href } = await urlOf(restStack);
  expect((await spokenTo(href, bytesOf(whole("localhost"), "evil.example"))).status).toBe(200);
  expect((await spokenTo(href, bytesOf(whole("evil.example"), "localhost"))).status).toBe(421);
});

test("a long host is cut in the refusal", async () => {
  const { href } = await urlOf(restStack);
  const { status, body } = await spokenTo(href, bytesOf(calls["rest"] as Call, `${"a.".repeat(10_000)}example`));
  expect([status, body.length < 1_000]).toEqual([421, true]);
});

// Pages of other origins.

interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly mayWrite: boolean;
}

const allowed = "https://app.example";

const callers: readonly Caller[] = [
  { headers: {}, mayWrite: true },
  { headers: { origin: "http://localhost:1" }, mayWrite: true },
  { headers: { origin: allowed }, mayWrite: true },
  { headers: { origin: allowed, "sec-fetch-site": "cross-site" }, mayWrite: true },
  { headers: { origin: "https://evil.example", "sec-fetch-site": "same-origin" }, mayWrite: true },
  { headers: { "sec-fetch-site": "none" }, mayWrite: true },
  { headers: { origin: "https://evil.example" }, mayWrite: false },
  { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, mayWrite: false },
  { headers: { origin: "http://localhost:2" }, mayWrite: false },
  { headers: { origin: "null" }, mayWrite: false },
  { headers: { "sec-fetch-site": "cross-site" }, mayWrite: false },
  { headers: { "sec-fetch-site": "same-site" }, mayWrite: false },
];

/** What browsers send without asking first. */
const simpleTypes = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

/** What a page can write with. */
const writes = ["POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
  [undefined, ...simpleTypes, "application/json"].map((type) => ({
    method,
    typed: type === undefined ? {} : { "content-type": type },
  })),
);

describe.each(overHttp1)("$name, to pages", ({ name, style }) => {
  const call = calls[style] as Call;
  const body = call.body === "" ? "{}" : call.body;

  test("refuses what may write, unless the page may call", async () => {
    const { href } = await urlOf(name, { allowedOrigins: [allowed] });
    for (const { headers, mayWrite } of callers) {
      const posted = { ...call, method: "POST", body, headers: { ...headers, ...json } };
      const answer = await spokenTo(href, bytesOf(posted, "localhost:1"));
      expect([headers, answer.status === 403]).toEqual([headers, !mayWrite]);
      expect(mayWrite ? "allowedOrigins" : answer.body).toContain("allowedOrigins");
    }
    for (const { method, typed } of writes) {
      const written = { ...call, method, body, headers: { origin: "https://evil.example", ...typed } };
      expect([method, typed, (await spokenTo(href, bytesOf(written, "localhost:1"))).status]).toEqual([
        method,
        typed,
        403,
      ]);
    }
  });
});

describe.each([
  ...overHttp2.map(({ name }) => ({ name, options: {}, type: "application/grpc", answered: "0", refused: "7" })),
  { name: "connect-node", options: connectOverHttp2, type: "application/json", answered: "200", refused: "403" },
])("$name over HTTP/2, to pages", ({ name, options, type, answered, refused }) => {
  test("refuses calls, unless the page may call", async () => {
    const { href } = await urlOf(name, { allowedOrigins: [allowed], ...options });
    for (const { headers, mayWrite } of callers) {
      const status = await statusOverHttp2(href, type, { ":authority": "localhost:1", ...headers });
      expect([headers, status]).toEqual([headers, mayWrite ? answered : refused]);
    }
  });
});

test("pages may send what is safe: they cannot read the answer", async () => {
  const { href } = await urlOf(restStack);
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    const asked = { ...(calls["rest"] as Call), method, headers: { origin: "https://evil.example" } };
    const { status, head } = await spokenTo(href, bytesOf(asked, "localhost"));
    expect([method, status]).toEqual([method, method === "OPTIONS" ? 204 : 200]);
    expect(head).not.toMatch(/access-control/i);
  }
});

test("a form of another page writes nothing through the dialect of grpc-gateway", async () => {
  const { href } = await urlOf(restStack, { settings: { dialect: "grpc-gateway" } });
  const form = {
    method: "POST",
    path: "/v1/customers",
    headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    body: '{"id":7,"name":"x"}',
  };
  const { status, body } = await spokenTo(href, bytesOf(form, "localhost"));
  expect([status, JSON.parse(body)]).toMatchObject([403, { code: 7 }]);
});

const read = (headers: Call["headers"]): string =>
  bytesOf({ method: "GET", path: "/w?text=x", headers, body: "" }, "localhost");

test("GET that is bound to an operation with side effects is no safe call", async () => {
  const bound = compileContract(`
    syntax = "proto3"; package test; import "google/api/annotations.proto";
    service S { rpc Write(M) returns (M) { option (google.api.http) = { post: "/w" body: "*" additional_bindings { get: "/w" } }; } }
    message M { string text = 1; }`);
  let written = 0;
  const [operation] = bound.operations;
  const service = serviceOf(bound, new Map([[operation?.id ?? "", (request: Message) => ((written += 1), request)]]));
  const server = await served(restStack, service);
  expect((await spokenTo(server.url, read({ origin: "https://evil.example" }))).status).toBe(403);
  expect(written).toBe(0);
  expect((await spokenTo(server.url, read({}))).status).toBe(200);
});

test("every style over HTTP is tried", () => {
  const styles = new Set(allStacks().map(({ style }) => style));
  expect([...styles].toSorted()).toEqual([...Object.keys(calls), "floor", "grpc"].toSorted());
  expect(contract.operations).toContain(sayHello);
});
