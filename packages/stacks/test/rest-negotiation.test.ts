// What a client accepts, prefers or sends, and the answer when the server does not support it.
import { create } from "@bufbuild/protobuf";
import type { Metadata } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { realService } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import { contract, pairOf, restStack } from "./support/pair.ts";
import { library } from "./support/library.ts";
import { spokenTo } from "./support/wire.ts";

async function curl(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const { server } = await pairOf(restStack, realService(contract));
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const response = await fetch(server.url + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function* none(): AsyncGenerator<never> {}

const json = { "content-type": "application/json" };

describe("an answer is JSON for clients that accept JSON", () => {
  test.for([
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json;q=0.1",
    "text/html, application/*;q=0.5",
    "application/problem+json, application/json",
    "text/html, */*;q=0.1",
  ])("Accept: %s", async (accept) => {
    const { status, headers } = await curl("GET", "/v1/customers/2", { accept });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  });

  test.for([
    "text/html",
    "application/json;q=0",
    "application/json;q=0, */*;q=0.5",
    "*/*;q=0",
    "application/json; charset=latin1",
    "application/problem+json",
    "application/hal+json",
  ])("and 406 for clients that do not: %s", async (accept) => {
    const { status, headers } = await curl("GET", "/v1/customers/2", { accept });
    expect([status, headers.get("content-type")]).toEqual([406, "application/problem+json"]);
  });
});

describe("a stream has the form that the caller likes best", () => {
  const empty = serviceOf(
    library,
    new Map(
      library.operations.map(({ id, kind, output }) => [
        id,
        kind === "unary" ? () => ({ $typeName: output.typeName }) : none,
      ]),
    ),
  );

  test.for([
    ["application/x-ndjson; charset=utf-8", "application/x-ndjson"],
    ["text/event-stream;charset=utf-8", "text/event-stream"],
    ["application/x-ndjson;q=0.2, text/event-stream;q=0.3", "text/event-stream"],
    ["application/x-ndjson;q=0, */*", "text/event-stream"],
    ["text/event-stream;q=0, */*", "application/x-ndjson"],
  ] as const)("Accept: %s", async ([accept, expected]) => {
    const { server } = await pairOf(restStack, empty);
    const { status, headers } = await fetch(`${server.url}/v1/watch`, { headers: { accept } });
    expect([status, headers.get("content-type")]).toEqual([200, expected]);
  });
});

test("streams and refusals send Vary: Accept, which callers of the contract do not see", async () => {
  const watch = library.operation("library.v1.Library.Watch");
  const { server, client } = await pairOf(restStack, serviceOf(library, new Map([[watch.id, none]])));
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
    const { status } = await curl("PUT", "/v1/customers/2/name", { ...json, prefer }, '{"name":"x","nosuch":1}');
    expect(status).toBe(expected);
  });
});

describe("answers list what may be sent", () => {
  const put = "/v1/customers/2/name";

  test("415 for a media type says which one is read", async () => {
    const { status, headers } = await curl("PUT", put, { "content-type": "text/csv" }, "a,b");
    expect([status, headers.get("accept")]).toEqual([415, "application/json"]);
  });

  test("415 for an encoding says which ones are read", async () => {
    const { status, headers } = await curl("PUT", put, { ...json, "content-encoding": "compress" }, "{}");
    expect([status, headers.get("accept-encoding")]).toEqual([415, "gzip, deflate, br"]);
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
