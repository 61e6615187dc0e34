// Servers of protobuf's binary form hold a limited part of unfinished requests, refuse requests that would be too large when they are decoded, and keep
// nothing of what they have refused.
import { create, toBinary } from "@bufbuild/protobuf";
import {
  codeFromGrpc,
  type Handler,
  heldBytes,
  maxHeldBytesPerConnection,
  type Operation,
  type Service,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { framed } from "@roundtrip/styles/grpc/server";
import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { pairOf } from "./support/pair.ts";
import { framesIn, preface, rawSocket, settingsFrame } from "./support/wire.ts";

const contract = compileContract(`
syntax = "proto3";
package held.v1;
service Held {
  rpc Call(Item) returns (Item);
  rpc Download(Item) returns (stream Item);
  rpc Upload(stream Item) returns (Item);
  rpc Chat(stream Item) returns (stream Item);
  rpc Look(Item) returns (Item) { option idempotency_level = NO_SIDE_EFFECTS; }
}
message Item {
  string text = 1;
  bytes body = 2;
  repeated Item items = 3;
}
`);
const [{ input: itemType }] = contract.operations as [Operation];

const servers = [
  { stack: "grpc-js", protocol: "grpc", settings: {} },
  { stack: "grpc-node-http2", protocol: "grpc", settings: {} },
  { stack: "grpc-connect-node", protocol: "grpc", settings: {} },
  { stack: "connect-node", protocol: "connect", settings: { http: "2" } },
] as const;

type Server = (typeof servers)[number];

/** Answers with an empty item, at once or never. */
function service(isAnswering: boolean): Service {
  const done = isAnswering ? Promise.resolve() : new Promise<never>(() => {});
  const unary: Handler = async () => {
    await done;
    return create(itemType);
  };
  const stream: StreamHandler = async function* (requests) {
    if (!isAnswering) await done;
    for await (const _ of requests);
    yield create(itemType);
  };
  return serviceOf(
    contract,
    new Map(contract.operations.map(({ id, kind }) => [id, kind === "unary" ? unary : stream])),
  );
}

async function sessionOf(server: Server, served: Service): Promise<ClientHttp2Session> {
  const { server: running } = await pairOf(server.stack, served, {
    serve: { settings: server.settings },
    connect: { settings: server.settings },
  });
  // A client of Node.js receives nothing while it has much to send.
  const session = connect(running.url, { maxSessionMemory: Number.MAX_SAFE_INTEGER });
  onTestFinished(() => session.destroy());
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

type Method = "Call" | "Download" | "Upload" | "Chat";

function isEnveloped({ protocol }: Server, method: Method): boolean {
  return protocol === "grpc" || method !== "Call";
}

/** The headers of a request in this encoding. */
function encodedIn(encoding: string, { protocol }: Server, method: Method): Readonly<Record<string, string>> {
  if (protocol === "grpc") return { "grpc-encoding": encoding };
  return { [method === "Call" ? "content-encoding" : "connect-content-encoding"]: encoding };
}

function begin(
  session: ClientHttp2Session,
  server: Server,
  method: Method,
  more: Readonly<Record<string, string>> = {},
): ClientHttp2Stream {
  const isConnect = server.protocol === "connect";
  const type = isConnect ? (method === "Call" ? "application/proto" : "application/connect+proto") : "application/grpc";
  const stream = session.request({
    ":method": "POST",
    ":path": `/held.v1.Held/${method}`,
    "content-type": type,
    ...(isConnect ? {} : { te: "trailers" }),
    ...more,
  });
  return stream.on("error", () => {});
}

function bodyOf(server: Server, method: Method, message: Uint8Array, isCompressed = false): Buffer {
  if (!isEnveloped(server, method)) return Buffer.from(message);
  return Buffer.from(framed(message)).fill(isCompressed ? 1 : 0, 0, 1);
}

/** The code of the answer. */
async function codeOf(stream: ClientHttp2Stream): Promise<string> {
  let headers: IncomingHttpHeaders = {};
  const pieces: Buffer[] = [];
  stream.on("response", (received) => (headers = { ...headers, ...received }));
  stream.on("trailers", (received: IncomingHttpHeaders) => (headers = { ...headers, ...received }));
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  await once(stream, "close");
  const status = headers["grpc-status"];
  if (status !== undefined) return status === "0" ? "OK" : codeFromGrpc(Number(status));
  const code = /"code":"(\w+)"/.exec(Buffer.concat(pieces).toString())?.[1];
  if (Number(headers[":status"]) === 429) return "RESOURCE_EXHAUSTED";
  return code?.toUpperCase() ?? (Number(headers[":status"]) === 200 ? "OK" : `HTTP ${Number(headers[":status"])}`);
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

const emptyMessages = Buffer.alloc(2 * 2 ** 20, Buffer.of(0x1a, 0));
const unknownFields = Buffer.alloc(2 * 2 ** 20, Buffer.of(0x78, 0));

/** Other tests of this process may have left calls unfinished. */
let before = 0;
beforeEach(() => void (before = heldBytes()));

async function nothingHeld(): Promise<void> {
  await vi.waitFor(() => expect(heldBytes()).toBe(before), { timeout: 5_000, interval: 20 });
}

describe.each(servers)("$stack $settings", (server) => {
  describe.each(["Call", "Download", "Upload", "Chat"] as const)("%s", (method) => {
    test("refuses requests that are too large when they are decoded, compressed or not", async () => {
      const session = await sessionOf(server, service(true));
      const codes: string[] = [];
      for (const message of [emptyMessages, unknownFields]) {
        const plain = begin(session, server, method);
        plain.end(bodyOf(server, method, message));
        // oxlint-disable-next-line no-await-in-loop
        codes.push(await codeOf(plain));
        for (const [encoding, pack] of Object.entries(packings)) {
          if (encoding === "br" && server.protocol === "grpc" && server.stack !== "grpc-connect-node") continue;
          const packed = begin(session, server, method, encodedIn(encoding, server, method));
          packed.end(bodyOf(server, method, pack(message), true));
          // oxlint-disable-next-line no-await-in-loop
          codes.push(await codeOf(packed));
        }
      }
      expect(new Set(codes)).toEqual(new Set(["RESOURCE_EXHAUSTED"]));
      await nothingHeld();
    });

    test("refuses parts of requests beyond the limit of a connection, and forgets the rest with their ends", async () => {
      const session = await sessionOf(server, service(false));
      const partBytes = 3_900_000;
      const part = bodyOf(server, method, new Uint8Array(4_000_000)).subarray(0, partBytes);
      const count = Math.ceil((1.5 * maxHeldBytesPerConnection) / partBytes);
      const refused = new Set<ClientHttp2Stream>();
      const streams: ClientHttp2Stream[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        const stream = begin(session, server, method);
        streams.push(stream);
        stream.on("response", () => refused.add(stream)).resume();
        stream.write(part);
      }
      const fitting = Math.floor(maxHeldBytesPerConnection / partBytes);
      await vi.waitFor(() => expect(refused.size).toBe(count - fitting), { timeout: 10_000, interval: 20 });
      const held = heldBytes();
      expect(held - before).toBeLessThanOrEqual(maxHeldBytesPerConnection);
      const left = streams.filter((stream) => !refused.has(stream)).slice(0, 5);
      for (const stream of left) stream.close(constants.NGHTTP2_CANCEL);
      await vi.waitFor(() => expect(heldBytes()).toBeLessThanOrEqual(held - 5 * partBytes), {
        timeout: 5_000,
        interval: 20,
      });
      session.destroy();
      await nothingHeld();
    }, 20_000);
  });

  test("refuses calls that wait beyond the limit of a connection, and forgets the rest with the connection", async () => {
    const session = await sessionOf(server, service(false));
    const request = toBinary(itemType, create(itemType, { body: new Uint8Array(4_000_000) }));
    const count = 20;
    const codes: string[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      const stream = begin(session, server, "Call");
      void codeOf(stream).then((code) => codes.push(code));
      stream.end(bodyOf(server, "Call", request));
    }
    await vi.waitFor(() => expect(codes).toHaveLength(count - Math.floor(maxHeldBytesPerConnection / 4_010_000)), {
      timeout: 10_000,
      interval: 20,
    });
    expect(new Set(codes)).toEqual(new Set(["RESOURCE_EXHAUSTED"]));
    session.destroy();
    await nothingHeld();
  }, 20_000);

  test("forgets an answered message whose bytes nobody reads", async () => {
    let answered: WeakRef<object> | undefined;
    const answer: Handler = () => {
      const message = create(itemType, { text: "x".repeat(1_000_000) });
      answered = new WeakRef(message);
      return message;
    };
    const call = contract.operations.filter(({ kind }) => kind === "unary");
    const session = await sessionOf(server, serviceOf(contract, new Map(call.map(({ id }) => [id, answer]))));
    // Of Connect's protocols, the one that writes messages as gRPC does.
    const web = { ":method": "POST", ":path": "/held.v1.Held/Call", "content-type": "application/grpc-web+proto" };
    const stream = server.protocol === "grpc" ? begin(session, server, "Call") : session.request(web);
    stream.end(framed(new Uint8Array()));
    await once(stream, "response");
    const isKept = (): boolean => {
      collectGarbage();
      return answered?.deref() !== undefined;
    };
    await vi.waitFor(() => expect(isKept()).toBe(false), { timeout: 5_000, interval: 20 });
    expect(stream.closed).toBe(false);
  });

  test("answers more compressed requests than are decompressed at once, and forgets those whose callers leave", async () => {
    const session = await sessionOf(server, service(true));
    const request = toBinary(itemType, create(itemType, { text: "x".repeat(1_000_000) }));
    const streams = Array.from({ length: 30 }, () => begin(session, server, "Call", encodedIn("gzip", server, "Call")));
    const codes = streams.map((stream) => codeOf(stream));
    for (const stream of streams) stream.end(bodyOf(server, "Call", gzipSync(request), true));
    for (const stream of streams.slice(20)) stream.close(constants.NGHTTP2_CANCEL);
    expect(new Set(await Promise.all(codes.slice(0, 20)))).toEqual(new Set(["OK"]));
    await nothingHeld();
    const last = begin(session, server, "Call", encodedIn("gzip", server, "Call"));
    last.end(bodyOf(server, "Call", gzipSync(request), true));
    expect(await codeOf(last)).toBe("OK");
  });

  test("takes no memory for large requests that are announced and do not come", async () => {
    const session = await sessionOf(server, service(true));
    collectGarbage();
    const { arrayBuffers } = process.memoryUsage();
    for (let call = 0; call < 40; call += 1) begin(session, server, "Call", { "content-length": "4000000" });
    const last = begin(session, server, "Call");
    last.end(bodyOf(server, "Call", new Uint8Array()));
    expect(await codeOf(last)).toBe("OK");
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(20_000_000);
  });

  test("answers a stream of many large and small messages, of which it holds no more than a part", async () => {
    const session = await sessionOf(server, service(true));
    const stream = begin(session, server, "Upload");
    const code = codeOf(stream);
    const large = bodyOf(server, "Upload", toBinary(itemType, create(itemType, { body: new Uint8Array(1_000_000) })));
    for (let sent = 0; sent < 100; sent += 1) {
      // oxlint-disable-next-line no-await-in-loop
      if (!stream.write(large)) await once(stream, "drain");
    }
    stream.end(Buffer.alloc(500_000, bodyOf(server, "Upload", new Uint8Array())));
    expect(await code).toBe("OK");
    await nothingHeld();
  }, 30_000);
});

// Frames that no client sends.

function frame(type: number, flags: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(1, 5);
  return Buffer.concat([head, payload]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
}

/** Header fields without an index (RFC 7541, section 6.2.2). */
function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

test.each(servers)(
  "$stack $settings refuses a request in 12,000 pieces of one byte",
  async ({ stack, protocol, settings }) => {
    const { server } = await pairOf(stack, service(true), { serve: { settings }, connect: { settings } });
    const socket = await rawSocket(server.url);
    const isConnect = protocol === "connect";
    const headers = headerBlock({
      ":method": "POST",
      ":scheme": "http",
      ":path": "/held.v1.Held/Call",
      ":authority": "localhost",
      "content-type": isConnect ? "application/proto" : "application/grpc",
      te: "trailers",
    });
    const body = isConnect ? Buffer.alloc(12_000) : framed(new Uint8Array(60_000)).subarray(0, 12_000);
    const pieces = Array.from(body, (byte) => frame(0, 0, Buffer.of(byte)));
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    socket.write(Buffer.concat([preface, settingsFrame({ ack: false }), frame(1, 4, headers), ...pieces]));
    const isAnswered = (): boolean => framesIn(received).some(({ type, stream }) => type === 1 && stream === 1);
    await vi.waitFor(() => expect(isAnswered()).toBe(true), { timeout: 5_000, interval: 20 });
    await nothingHeld();
  },
);

test.each(["proto", "json"])(
  "Connect answers a GET of %s that is not in base64 as INVALID_ARGUMENT",
  async (encoding) => {
    const { server } = await pairOf("connect-node", service(true));
    const look = async (message: string): Promise<string> => {
      const answer = await fetch(
        `${server.url}/held.v1.Held/Look?connect=v1&encoding=${encoding}&base64=1&message=${message}`,
      );
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await look("!")).toBe('400 {"code":"invalid_argument","message":"the message in the query is not base64"}');
    expect(await look(encoding === "json" ? "e30" : "")).toMatch(/^200 /);
  },
);
