// gRPC's connections, seen from outside: windows, settings, pings, calls at once, and calls that the other end resets at their deadline.
import { type Settings } from "@roundtrip/contract";
import { once } from "node:events";
import { fork } from "node:child_process";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "../src/index.ts";
import { flowControlWindowBytes as declaredWindow } from "../src/shared/http2/http2-settings.ts";
import { caught, clientOf, grpcStack, hello, helloService, pairOf, greeting } from "./support/pair.ts";
import { conformanceService, item, operationNamed } from "./support/streams.ts";
import {
  bareCall,
  clientSockets,
  framesIn,
  preface,
  rawSocket,
  settingsFrame,
  urlOf,
  windowsSaidBy,
} from "./support/wire.ts";

/** Everything that comes from a socket, growing. */
function heardFrom(socket: Socket): { bytes: Buffer } {
  const heard = { bytes: Buffer.alloc(0) };
  socket.on("data", (chunk: Buffer) => (heard.bytes = Buffer.concat([heard.bytes, chunk])));
  socket.on("error", () => {});
  return heard;
}

const kilobyte = 1_024;
/** HTTP/2's own, the declared default, and another. */
const levels = [65_535, declaredWindow, 256 * kilobyte];

describe.each(levels)("a window of %i bytes", (flowControlWindowBytes) => {
  const windows = { streamBytes: flowControlWindowBytes, connectionBytes: flowControlWindowBytes };
  const settings = flowControlWindowBytes === declaredWindow ? {} : { flowControlWindowBytes };

  test("is announced by a server for uploads", async () => {
    const { server } = await pairOf("grpc-js", greeting, { serve: { settings } });
    const socket = await rawSocket(server.url);
    const heard = heardFrom(socket);
    socket.write(Buffer.concat([preface, settingsFrame({ ack: false })]));
    await vi.waitFor(() => expect(windowsSaidBy(framesIn(heard.bytes))).toEqual(windows), 20_000);
  });

  test("is announced by a client for downloads", async () => {
    const heard: { readonly bytes: Buffer }[] = [];
    const server = createServer((socket) => {
      heard.push(heardFrom(socket));
      socket.write(Buffer.concat([settingsFrame({ ack: false }), settingsFrame({ ack: true })]));
    });
    const client = await clientOf("grpc-js", greeting, { url: await urlOf(server), settings });
    const over = new AbortController();
    const call = hello(client, "x", { signal: over.signal });
    await vi.waitFor(() => {
      const [{ bytes } = { bytes: Buffer.alloc(0) }] = heard;
      expect(windowsSaidBy(framesIn(bytes.subarray(preface.length)))).toEqual(windows);
    }, 20_000);
    over.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

test.each([
  [{}, 1_000],
  [{ maxConcurrentStreams: 7 }, 7],
])("with %j a server allows %i calls at once on a connection", async (settings, calls) => {
  const { server } = await pairOf(grpcStack, greeting, { serve: { settings } });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  await once(session, "remoteSettings");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(calls);
});

test("a client compresses requests as set, and sends keepalive pings", async () => {
  const seen = { encoding: "", pings: 0 };
  const server = createHttp2Server();
  server.on("session", (session) => session.on("ping", () => (seen.pings += 1)));
  server.on("stream", (_stream, headers) => (seen.encoding = String(headers["grpc-encoding"])));
  const settings = { requestCompression: "gzip", keepAliveMs: 10 };
  const client = await clientOf("grpc-js", greeting, { url: await urlOf(server), settings });
  const gaveUp = new AbortController();
  const call = hello(client, "x", { signal: gaveUp.signal });
  await vi.waitFor(() => expect(seen.pings).toBeGreaterThan(0), { timeout: 30_000 });
  gaveUp.abort();
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  expect(seen.encoding).toBe("gzip");
});

test("a server sends keepalive pings when set to", async () => {
  const settings = { keepAliveMs: 10, keepAliveTimeoutMs: 10_000 };
  const { server } = await pairOf("grpc-js", greeting, { serve: { settings } });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  expect(await once(session, "ping")).toHaveLength(1);
});

test.each([
  [2, 2],
  [100, 8],
])("of eight callers who share a connection of %i streams, %i are served at once", async (streams, most) => {
  let now = 0;
  let highest = 0;
  const reached = Promise.withResolvers<void>();
  const counting = helloService(async ({ name }) => {
    if (name === "first") return name;
    now += 1;
    highest = Math.max(highest, now);
    if (highest === most) reached.resolve();
    await reached.promise;
    // So long that a call beyond the limit would be seen beside these.
    await new Promise((resolve) => setTimeout(resolve, 20));
    now -= 1;
    return name;
  });
  const serve = { settings: { maxConcurrentStreams: streams } };
  const options = { connections: 8, settings: { localSubchannelPool: false } };
  const { client, server } = await pairOf("grpc-js", counting, { serve, connect: options });
  const sockets = clientSockets(server.url);
  // The limit comes with the server's settings, which the first call waits for.
  await hello(client, "first");
  const names = Array.from({ length: 8 }, (_, caller) => `${caller}`);
  expect(await Promise.all(names.map((name) => hello(client, name)))).toEqual(names);
  expect([highest, sockets.size]).toEqual([most, 1]);
});

test("more calls at once than a connection may carry wait for their turn", async () => {
  const service = helloService(async ({ name }) => {
    await turn();
    return name;
  });
  const { client } = await pairOf(grpcStack, service);
  await hello(client, "first");
  const names = Array.from({ length: 1_500 }, (_, index) => String(index));
  expect(await Promise.all(names.map((name) => hello(client, name)))).toEqual(names);
});

function serving(settings: Settings): Promise<unknown> {
  return loadServe("grpc-js").then((serve) => serve(greeting, { ...serveDefaults, settings }));
}

function connecting(settings: Settings): Promise<unknown> {
  const options = { ...connectDefaults, url: "http://127.0.0.1:1", settings };
  return loadConnect("grpc-js").then((open) => open(greeting.contract, options));
}

const bothEnds = [serving, connecting];

test.each<[Settings, string, readonly (typeof serving)[]]>([
  [{ keepAliveMs: -1 }, "keepAliveMs must be a whole number from 0 to 2147483647, got -1 (default 0)", bothEnds],
  [{ keepAliveMs: 1.5 }, "got 1.5", bothEnds],
  [{ keepAliveMs: "10" }, "got 10", bothEnds],
  [{ windowBytes: 1 }, "unknown setting windowBytes (valid: ", bothEnds],
  [{ requestCompression: "gzip" }, "unknown setting requestCompression", [serving]],
  [{ maxConcurrentStreams: 1 }, "unknown setting maxConcurrentStreams", [connecting]],
  [{ requestCompression: "zstd" }, "must be one of identity, deflate, gzip, got zstd (default identity)", [connecting]],
])("the settings %j are refused with the known settings or values", async (settings, words, ends) => {
  const refusal = { code: "unusable-setting", message: expect.stringContaining(words) as string };
  for (const end of ends) await expect(end(settings)).rejects.toMatchObject(refusal);
});

describe("a server that resets calls", () => {
  const server = fork(fileURLToPath(new URL("support/resetting-process.ts", import.meta.url)));
  const unserved = helloService(() => "never");
  let url = "";
  beforeAll(async () => {
    const [port] = (await once(server, "message")) as [number];
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.disconnect());

  test("when their deadlines pass gives DEADLINE_EXCEEDED, whoever is faster", async () => {
    const client = await clientOf(grpcStack, unserved, { url });
    const codes = new Set<string>();
    for (let calls = 0; calls < 40; calls += 1) {
      // oxlint-disable-next-line no-await-in-loop -- on a busy process the caller's timer would always be late
      codes.add((await caught(hello(client, "World", { timeoutMs: 15 }))).code);
    }
    expect(codes).toEqual(new Set(["DEADLINE_EXCEEDED"]));
  });

  test("before their deadlines gives CANCELLED", async () => {
    const client = await clientOf(grpcStack, unserved, { url });
    expect((await caught(hello(client, "World"))).code).toBe("CANCELLED");
  });
});

// A busy event loop has no time for timers. A stream that goes on after its caller has left at the deadline would keep it busy.
test("a handler is ended when its caller leaves after the deadline, although no timer has fired", async () => {
  const ended = Promise.withResolvers<unknown>();
  const service = conformanceService({
    async *download(_request, { signal }) {
      yield item({ index: 0 });
      signal.addEventListener("abort", () => ended.resolve(signal.reason));
      await ended.promise;
    },
  });
  const { server } = await pairOf(grpcStack, service);
  // Only the clock goes on: timers are real, and ten minutes are not over.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { parent, name } = operationNamed("Download").method;
  const stream = bareCall(server.url, `/${parent.typeName}/${name}`, { "grpc-timeout": "10M" });
  stream.end(Buffer.alloc(5));
  await new Promise((resolve) => stream.once("data", resolve));
  vi.advanceTimersByTime(11 * 60_000);
  stream.close();
  expect(await ended.promise).toMatchObject({
    code: expect.stringMatching(/^(DEADLINE_EXCEEDED|CANCELLED)$/) as unknown,
  });
});
