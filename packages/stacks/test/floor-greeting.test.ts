// A floor's client recognises a server that is not a floor, within a time limit.
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { greeting } from "../src/floor/frames.ts";
import { greetingLimitMs, GreetingReader } from "../src/floor/client-connection.ts";
import { caught, clientOf, hello, helloService, pairOf } from "./support/pair.ts";

const greetingBack = helloService(({ name }) => `Hello, ${name}!`);

afterEach(() => void vi.useRealTimers());

async function urlOf(server: Server): Promise<string> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => void open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureAt(url: string): Promise<{ readonly code: string; readonly message: string }> {
  const { code, message } = await caught(hello(await clientOf("floor", greetingBack, { url }), "x"));
  return { code, message };
}

test.each(["http", "tcp"])("a call to a website fails at once, because it is not a floor (%s)", async (scheme) => {
  const website = await urlOf(createHttpServer((_request, response) => response.end("Welcome")));
  const url = website.replace("http", scheme);
  const expected = { code: "UNAVAILABLE", message: `no answer from ${url}: the server is not a Roundtrip floor` };
  expect(await failureAt(url)).toEqual(expected);
});

test("a call to a server that echoes its input fails too", async () => {
  const url = await urlOf(createServer((socket) => void socket.pipe(socket)));
  expect((await failureAt(url)).message).toContain("the server is not a Roundtrip floor");
});

test.each(["http", "https"])("a silent server is given up in time (%s)", async (scheme) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const server = createServer((socket) => void socket.on("error", () => undefined).resume());
  const connected = new Promise((resolve) => server.once("connection", resolve));
  const url = (await urlOf(server)).replace("http", scheme);
  const failure = failureAt(url);
  await connected;
  await vi.advanceTimersByTimeAsync(greetingLimitMs);
  expect(await failure).toEqual({
    code: "UNAVAILABLE",
    message: `no answer from ${url}: not a Roundtrip floor, no greeting within 5 s`,
  });
});

test("a floor that has greeted may take its time to answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const slow = helloService(async ({ name }) => {
    begin();
    await release;
    return name;
  });
  const { client } = await pairOf("floor", slow);
  const answer = hello(client, "patience");
  await begun;
  await vi.advanceTimersByTimeAsync(greetingLimitMs);
  resolve();
  expect(await answer).toBe("patience");
});

test("a greeting may come in pieces, and the bytes after it are passed on", () => {
  const reader = new GreetingReader(() => undefined);
  expect(reader.read(greeting.subarray(0, 3))).toHaveLength(0);
  expect(reader.isDone).toBe(false);
  expect(reader.read(Buffer.concat([greeting.subarray(3), Buffer.from("rest")])).toString()).toBe("rest");
  expect(reader.isDone).toBe(true);
});
