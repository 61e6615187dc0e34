// What a body over HTTP/1.1 may have in it beside its bytes: values, levels, chunks, and what it becomes when it is decompressed.
import { create, type Message } from "@bufbuild/protobuf";
import { heldBytes, largeRequestBytes, maxHeldBytesPerConnection, ownTurn } from "@roundtrip/contract";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { maxJsonCost, maxJsonDepth } from "../../styles/src/shared/proto-json/json-limits.ts";
import { maxXmlElements } from "../../styles/src/soap/xml.ts";
import type { ServeOptions } from "../src/index.ts";
import { freeInflatedBytes } from "../src/shared/node-server/request-body.ts";
import { freePieces, leastPieceBytes } from "../src/shared/received-pieces.ts";
import { compileContract } from "./support/compile-contract.ts";
import { oneOfEach, served, serviceWith } from "./support/pair.ts";
import { rawSocket, spokenTo } from "./support/wire.ts";

const contract = compileContract(`
  syntax = "proto3"; package limits; import "google/api/annotations.proto"; import "google/protobuf/struct.proto";
  service Lists {
    rpc Put(Items) returns (Counted) { option (google.api.http) = { post: "/items" body: "*" }; }
    rpc Upload(stream Items) returns (Counted) { option (google.api.http) = { post: "/upload" body: "*" }; }
  }
  message Items { repeated int32 numbers = 1; repeated Items items = 2; google.protobuf.Value any = 3; string text = 4; }
  message Counted { int32 numbers = 1; }`);

interface Items extends Message {
  readonly numbers: readonly number[];
  readonly text: string;
}

const counted = (numbers: number): Message => create(contract.operation("limits.Lists.Put").output, { numbers });
const waiting = Promise.withResolvers<Message>();
const opening = Promise.withResolvers<void>();
const service = serviceWith(contract, {
  Put(request: Message) {
    const { numbers, text } = request as Items;
    return text === "wait" ? waiting.promise : counted(numbers.length);
  },
  async *Upload(requests: AsyncIterable<Message>) {
    let messages = 0;
    for await (const request of requests) {
      if ((request as Items).text === "wait") await opening.promise;
      messages += 1;
    }
    yield counted(messages);
  },
});

async function originOf(stackName: string, options: Partial<ServeOptions> = {}): Promise<string> {
  return new URL((await served(stackName, service, options)).url).origin;
}

/** A call of Put in each style, around the JSON of its request. */
const calls: Readonly<Record<string, { readonly path: string; readonly around: readonly [string, string] }>> = {
  rest: { path: "/items", around: ["", ""] },
  "json-rpc": { path: "/rpc", around: ['{"jsonrpc":"2.0","id":1,"method":"limits.Lists.Put","params":', "}"] },
  graphql: {
    path: "/graphql",
    around: ['{"query":"mutation($input: ItemsInput!) { put(input: $input) { numbers } }","variables":{"input":', "}}"],
  },
};

const overJson = oneOfEach("server").filter(({ style }) => Object.hasOwn(calls, style));
const overHttp1 = [...overJson, ...oneOfEach("server").filter(({ style }) => style === "soap" || style === "connect")];

const packings = {
  plain: (text: string) => Buffer.from(text),
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

async function post(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<[number, string]> {
  const response = await fetch(url, { method: "POST", body, headers });
  return [response.status, await response.text()];
}

const excesses = [
  ["levels", `{"any":${"[".repeat(maxJsonDepth + 70_000)}`, 400, /nests more than 512/],
  ["lists and objects", `{"any":[${"[],".repeat(maxJsonCost / 8)}[]]}`, 413, /too many values/],
  ["numbers", `{"numbers":[${"1,".repeat(maxJsonCost)}1]}`, 413, /too many values/],
  ["entries of a map", `{"any":{${'"a":1,'.repeat(maxJsonCost / 10)}"b":1}}`, 413, /too many values/],
] as const;

describe.each(overJson)("$name", ({ name, style }) => {
  const { path, around } = calls[style] as (typeof calls)[string];

  test.each(excesses)(
    "refuses too many %s of JSON before it is parsed, however it is packed",
    async (_what, json, status, message) => {
      const url = await originOf(name);
      for (const [coding, pack] of Object.entries(packings)) {
        const headers = {
          "content-type": "application/json",
          ...(coding === "plain" ? {} : { "content-encoding": coding }),
        };
        const [answered, text] = await post(`${url}${path}`, pack(around.join(json)), headers);
        // What grows a hundredfold is refused before it is looked at.
        const isBomb = coding !== "plain" && answered === 413;
        const expected = style === "json-rpc" && status === 400 ? 200 : status;
        expect([coding, isBomb ? 413 : answered]).toEqual([coding, isBomb ? 413 : expected]);
        expect(isBomb ? "200 times" : text).toMatch(isBomb ? /200 times/ : message);
      }
    },
  );

  test("forgets a call whose caller disconnects while its large body waits for a turn", async () => {
    const before = heldBytes();
    const { host, origin } = new URL(await originOf(name));
    const disconnected = Promise.withResolvers<void>();
    const onRequest = (message: unknown): void => {
      const { request } = message as { readonly request: IncomingMessage };
      request.once("end", () => {
        // The body's turn comes after these, when the connection has closed.
        for (let turn = 0; turn < 20; turn += 1) void ownTurn();
        request.socket.once("close", disconnected.resolve).destroy();
      });
    };
    subscribe("http.server.request.start", onRequest);
    onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
    const socket = await rawSocket(origin);
    socket.on("error", () => {});
    const body = around.join(`{"text":"wait","numbers":[${"7,".repeat(largeRequestBytes)}7]}`);
    socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`);
    socket.write(`content-length: ${body.length}\r\n\r\n${body}`);
    await disconnected.promise;
    for (let turn = 0; turn < 20; turn += 1) await ownTurn();
    await expect.poll(heldBytes).toBe(before);
  });

  test("reads many numbers, and brackets in text", async () => {
    const url = await originOf(name);
    const numbers = `[${"123456789,".repeat(50_000)}1]`;
    const [status, text] = await post(
      `${url}${path}`,
      Buffer.from(around.join(`{"text":"${String.raw`\"[{\\`.repeat(60_000)}","numbers":${numbers}}`)),
      { "content-type": "application/json" },
    );
    expect([status, text]).toEqual([200, expect.stringContaining("50001") as string]);
  });
});

test("a stream of JSON refuses a message with too many lists and objects as too large", async () => {
  const url = await originOf("rest-node-http");
  const line = `{"any":[${"[],".repeat(maxJsonCost / 8)}[]]}\n`;
  const [status, text] = await post(`${url}/upload`, Buffer.from(line), { "content-type": "application/x-ndjson" });
  expect([status, JSON.parse(text)]).toMatchObject([413, { code: "RESOURCE_EXHAUSTED" }]);
});

const chunk = (line: string): string => `${line.length.toString(16)}\r\n${line}\r\n`;

test("a slow reader of a stream in small chunks holds its sender back, and gets all of it", async () => {
  const socket = await rawSocket(await originOf("rest-node-http"));
  const received = Promise.withResolvers<IncomingMessage>();
  const onRequest = (message: unknown): void => received.resolve((message as { request: IncomingMessage }).request);
  subscribe("http.server.request.start", onRequest);
  onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
  const answered = once(socket, "data");
  socket.write("POST /upload HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n");
  socket.write(`transfer-encoding: chunked\r\n\r\n${chunk('{"text":"wait"}\n')}`);
  const request = await received.promise;
  const lines = 100_000;
  socket.write(`${chunk('{"text":"small"}\n').repeat(lines)}0\r\n\r\n`);
  // Node.js pauses the socket of a request that is full; otherwise it receives the request to its end.
  await expect.poll(() => request.complete || request.socket.isPaused(), { timeout: 10_000 }).toBe(true);
  const { complete, readableLength, readableHighWaterMark } = request;
  opening.resolve();
  expect([complete, readableLength <= 4 * readableHighWaterMark]).toEqual([false, true]);
  const [answer] = (await answered) as [Buffer];
  expect(answer.toString()).toContain(`{"numbers":${lines + 1}}`);
});

test.each(["whole", "cut short"])("frees the chunks of a body that is %s", async (kind) => {
  const chunks: Buffer[] = [];
  const onRequest = (message: unknown): void =>
    void (message as { request: IncomingMessage }).request.on("data", (part: Buffer) => void chunks.push(part));
  subscribe("http.server.request.start", onRequest);
  onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
  const socket = await rawSocket(await originOf("rest-node-http"));
  const text = "x".repeat(1024 * 1024);
  const length = `{"text":"${text}"}`.length;
  socket.write(`POST /items HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`);
  socket.write(`content-length: ${length}\r\n\r\n{"text":"${text}`);
  await expect.poll(() => chunks.reduce((sum, part) => sum + part.length, 0), { timeout: 10_000 }).toBe(length - 2);
  expect(chunks.length).toBeGreaterThan(1);
  if (kind === "whole") socket.write('"}');
  else socket.destroy();
  const large = (): number => chunks.filter((part) => part.length >= 4_096).length;
  await expect.poll(large, { timeout: 10_000 }).toBe(0);
});

const envelope = (count: number): Buffer<ArrayBuffer> =>
  Buffer.from(
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><m:Put xmlns:m="urn:protobuf:service:limits:Lists">${"<numbers>7</numbers>".repeat(count)}</m:Put></s:Body></s:Envelope>`,
  );

test("SOAP refuses too many elements while it reads them, and reads as many as are allowed", async () => {
  const url = `${await originOf("soap-node-http")}/soap`;
  const headers = { "content-type": "text/xml" };
  const [status, text] = await post(url, envelope(maxXmlElements - 3), headers);
  expect([status, text]).toEqual([200, expect.stringContaining(`<numbers>${maxXmlElements - 3}</numbers>`) as string]);
  const [refused, fault] = await post(url, envelope(maxXmlElements), headers);
  expect([refused, fault]).toEqual([413, expect.stringContaining("RESOURCE_EXHAUSTED") as string]);
});

describe.each(overHttp1)("$name", ({ name, style }) => {
  const { path = style === "soap" ? "/soap" : "/limits.Lists/Put" } = calls[style] ?? {};
  const type = style === "soap" ? "text/xml" : "application/json";
  const head = (headers: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: ${type}\r\n${headers}\r\n\r\n`;

  test("refuses a body of tiny chunks", async () => {
    const url = await originOf(name);
    const chunks = `${head("transfer-encoding: chunked")}${"1\r\n \r\n".repeat(freePieces + 1)}0\r\n\r\n`;
    const { status, body } = await spokenTo(url, chunks);
    const refusal = expect.stringContaining(`less than ${leastPieceBytes} bytes`) as string;
    expect([status, body]).toEqual([style === "connect" ? 429 : 413, refusal]);
  });

  test("counts half a body in the memory that its connection holds, and gives that back", async () => {
    const before = heldBytes();
    const url = await originOf(name, { maxMessageBytes: 4 * maxHeldBytesPerConnection });
    const socket = await rawSocket(url);
    socket.write(head(`content-length: ${2 * maxHeldBytesPerConnection}`));
    socket.write(Buffer.alloc(10 * 1024 * 1024, " "));
    await expect.poll(heldBytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 10 * 1024 * 1024);
    socket.destroy();
    await expect.poll(heldBytes, { timeout: 10_000 }).toBe(before);
  });

  test("refuses a body when its connection would hold too much", async () => {
    const url = await originOf(name, { maxMessageBytes: 4 * maxHeldBytesPerConnection });
    const socket = await rawSocket(url);
    const answered = once(socket, "data");
    socket.write(head(`content-length: ${2 * maxHeldBytesPerConnection}`));
    socket.write(Buffer.alloc(maxHeldBytesPerConnection + 1024 * 1024, " "));
    const [answer] = (await answered) as [Buffer];
    expect(answer.toString()).toMatch(/RESOURCE_EXHAUSTED|resource_exhausted/);
    await once(socket, "close");
  });
});

describe.each(overHttp1.filter(({ style }) => style !== "connect"))("$name", ({ name, style }) => {
  const { path = style === "soap" ? "/soap" : "/limits.Lists/Put" } = calls[style] ?? {};
  const type = style === "soap" ? "text/xml" : "application/json";

  test("refuses a body that grows more than two hundredfold beyond a megabyte", async () => {
    const url = await originOf(name);
    for (const [coding, pack] of [
      ["gzip", gzipSync],
      ["br", brotliCompressSync],
      ["zstd", zstdCompressSync],
    ] as const) {
      const headers = { "content-type": type, "content-encoding": coding };
      const [status, text] = await post(`${url}${path}`, pack(" ".repeat(2 * freeInflatedBytes)), headers);
      expect([coding, status, text]).toEqual([coding, 413, expect.stringContaining("200 times") as string]);
      const [small] = await post(`${url}${path}`, pack(" ".repeat(freeInflatedBytes)), headers);
      expect([coding, small]).not.toEqual([coding, 413]);
    }
  });
});
