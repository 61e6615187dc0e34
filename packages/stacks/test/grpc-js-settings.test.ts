// What can be set on gRPC's connections, seen from outside.
import { once } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectDefaults, loadConnect, loadServe, serveDefaults, type Settings } from "../src/index.ts";
import { clientSockets } from "./support/wire.ts";
import { clientOf, hello, helloService, pairOf } from "./support/pair.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

test("the window and the calls at once are what was set", async () => {
  const settings = { flowControlWindowBytes: 1_000_000, maxConcurrentStreams: 7 };
  const { server } = await pairOf("grpc-js", greeting, { serve: { settings } });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  await once(session, "remoteSettings");
  expect(session.remoteSettings).toMatchObject({ initialWindowSize: 1_000_000, maxConcurrentStreams: 7 });
  await new Promise((resolve) => session.ping(resolve));
  expect(session.state.remoteWindowSize).toBe(1_000_000);
});

test("a client sends the window that was set, compresses requests as set, and sends keepalive pings", async () => {
  const seen = { initialWindowSize: 0, encoding: "", pings: 0 };
  const server = createHttp2Server();
  server.on("session", (session) => {
    session.on("remoteSettings", ({ initialWindowSize }) => (seen.initialWindowSize = initialWindowSize ?? 0));
    session.on("ping", () => (seen.pings += 1));
  });
  server.on("stream", (_stream, headers) => (seen.encoding = String(headers["grpc-encoding"])));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { flowControlWindowBytes: 2_000_000, requestCompression: "gzip", keepAliveMs: 10 };
  const client = await clientOf("grpc-js", greeting, { url, settings });
  const gaveUp = new AbortController();
  const call = hello(client, "x", { signal: gaveUp.signal });
  await vi.waitFor(() => expect(seen.pings).toBeGreaterThan(0), { timeout: 30_000 });
  gaveUp.abort();
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  expect(seen).toMatchObject({ initialWindowSize: 2_000_000, encoding: "gzip" });
  server.close();
});

test("a server sends keepalive pings when set to", async () => {
  const settings = { keepAliveMs: 10, keepAliveTimeoutMs: 10_000 };
  const { server } = await pairOf("grpc-js", greeting, { serve: { settings } });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  expect(await once(session, "ping")).toHaveLength(1);
});

test("channels share a connection if allowed", async () => {
  const { server } = await pairOf("grpc-js", greeting);
  const sockets = clientSockets();
  const settings = { localSubchannelPool: false };
  const client = await clientOf("grpc-js", greeting, { url: server.url, connections: 3, settings });
  await Promise.all(Array.from({ length: 9 }, () => hello(client, "x")));
  expect(sockets.size).toBe(1);
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
  const sockets = clientSockets();
  const serve = { settings: { maxConcurrentStreams: streams } };
  const connect = { connections: 8, settings: { localSubchannelPool: false } };
  const { client } = await pairOf("grpc-js", counting, { serve, connect });
  // The limit comes with the server's settings, which the first call waits for.
  await hello(client, "first");
  const names = Array.from({ length: 8 }, (_, caller) => `${caller}`);
  expect(await Promise.all(names.map((name) => hello(client, name)))).toEqual(names);
  expect([highest, sockets.size]).toEqual([most, 1]);
});

test.each([
  [{ keepAliveMs: -1 }, "keepAliveMs must be a whole number from 0 to 2147483647, got -1 (default 0)"],
  [{ keepAliveMs: 1.5 }, "got 1.5"],
  [{ keepAliveMs: "10" }, "got 10"],
  [{ windowBytes: 1 }, "unknown setting windowBytes (valid: "],
])("%j is refused on either end with the known settings or values", async (settings, message) => {
  const said = { code: "unusable-setting", message: expect.stringContaining(message) as string };
  await expect(served(settings)).rejects.toMatchObject(said);
  await expect(connected(settings)).rejects.toMatchObject(said);
});

function refused(name: string): object {
  return { code: "unusable-setting", message: expect.stringContaining(`unknown setting ${name}`) as string };
}

test("servers refuse client settings, and clients refuse server settings", async () => {
  await expect(served({ requestCompression: "gzip" })).rejects.toMatchObject(refused("requestCompression"));
  await expect(connected({ maxConcurrentStreams: 1 })).rejects.toMatchObject(refused("maxConcurrentStreams"));
  await expect(connected({ requestCompression: "zstd" })).rejects.toMatchObject({
    code: "unusable-setting",
    message: expect.stringContaining(
      "requestCompression must be one of identity, deflate, gzip, got zstd (default identity)",
    ) as string,
  });
});

async function served(settings: Settings): Promise<unknown> {
  const serve = await loadServe("grpc-js");
  return serve(greeting, { ...serveDefaults, settings });
}

async function connected(settings: Settings): Promise<unknown> {
  const connect = await loadConnect("grpc-js");
  return connect(greeting.contract, { ...connectDefaults, url: "http://127.0.0.1:1", settings });
}
