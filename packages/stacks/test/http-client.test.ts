// What styles over HTTP/1.1 can rely on from every client library.
import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HttpRequest } from "../../styles/src/shared/http/http-message.ts";
import type { HttpTransport } from "../../styles/src/shared/http/http-transport.ts";
import { axiosTransport } from "../src/rest/clients/axios/axios-transport.ts";
import { fetchTransport } from "../src/rest/clients/fetch/fetch-transport.ts";
import { client as fetchBinding } from "../src/rest/clients/fetch/index.ts";
import { undiciBinding } from "../src/shared/undici/undici-settings.ts";
import { undiciTransport } from "../src/shared/undici/undici-transport.ts";
import { connectDefaults, type ConnectOptions } from "../src/index.ts";
import { caught } from "./support/caught.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

type Connect = (options: ConnectOptions) => HttpTransport;

async function servedFor(connect: Connect, listener: Listener, options: Partial<ConnectOptions> = {}) {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect({ ...connectDefaults, url, ...options });
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await client.close();
  });
  return { server, client, url };
}

function get(client: HttpTransport, options: Partial<HttpRequest> = {}) {
  return client.send({
    method: "GET",
    path: "/",
    headers: {},
    body: undefined,
    timeoutMs: undefined,
    signal: undefined,
    ...options,
  });
}

const answerNothing: Listener = (_request, response) => void response.end();

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from("one");
  yield Buffer.from("two");
}

describe.each([
  { library: "undici", connect: undiciTransport },
  { library: "fetch", connect: fetchTransport },
  { library: "axios", connect: axiosTransport },
])("$library", ({ connect }) => {
  const served = (listener: Listener, options?: Partial<ConnectOptions>) => servedFor(connect, listener, options);

  test("status, headers and the whole body arrive, in however many pieces they are sent", async () => {
    const { client } = await served(async (_request, response) => {
      response.writeHead(418, { "x-kind": "teapot" });
      for (const piece of ["short ", "and ", "stout ☕"]) {
        response.write(piece);
        await sleep(2);
      }
      response.end();
    });
    const { status, headers, body } = await get(client);
    expect([status, headers["x-kind"], body.toString()]).toEqual([418, "teapot", "short and stout ☕"]);
  });

  test("an empty answer has an empty body", async () => {
    const { client } = await served((_request, response) => void response.writeHead(204).end());
    expect((await get(client)).body.length).toBe(0);
  });

  test("method, path, headers and body are sent as given", async () => {
    const { client } = await served(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end(
        `${request.method} ${request.url} ${String(request.headers["x-a"])} ${Buffer.concat(chunks).toString("hex")}`,
      );
    });
    const text = await get(client, { method: "PUT", path: "/a%20b?c=d", headers: { "x-a": "e" }, body: "é" });
    expect(text.body.toString()).toBe("PUT /a%20b?c=d e c3a9");
    const bytes = await get(client, { method: "POST", headers: { "x-a": "e" }, body: new Uint8Array([0, 255]) });
    expect(bytes.body.toString()).toBe("POST / e 00ff");
  });

  test("connections are kept, and no more are opened than asked for", async () => {
    let opened = 0;
    const { server, client } = await served((_request, response) => void setTimeout(() => response.end(), 2), {
      connections: 2,
    });
    server.on("connection", () => (opened += 1));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([get(client), get(client), get(client)]);
    }
    expect(opened).toBe(2);
  });

  test("a body of the largest size arrives, one byte more is RESOURCE_EXHAUSTED, with a stated length and without", async () => {
    const { client } = await served(
      (request, response) => {
        const length = Number(request.headers["x-length"]);
        if (request.url === "/stated") response.setHeader("content-length", length);
        else response.write("");
        response.end("x".repeat(length));
      },
      { maxMessageBytes: 10 },
    );
    for (const path of ["/stated", "/chunked"]) {
      expect((await get(client, { path, headers: { "x-length": "10" } })).body.length).toBe(10);
      const error = await caught(get(client, { path, headers: { "x-length": "11" } }));
      expect([error.code, error.message]).toEqual(["RESOURCE_EXHAUSTED", "the response is larger than 10 bytes"]);
    }
    expect((await get(client, { path: "/stated", headers: { "x-length": "10" } })).body.length).toBe(10);
  });

  test("an answer that comes too late is DEADLINE_EXCEEDED, and the next call is not harmed", async () => {
    const { client } = await served((request, response) => {
      if (request.url === "/") response.end("soon");
    });
    expect((await caught(get(client, { path: "/never", timeoutMs: 20 }))).code).toBe("DEADLINE_EXCEEDED");
    expect((await get(client, { timeoutMs: 5000 })).body.toString()).toBe("soon");
  });

  test("a call that waits for a connection keeps its deadline, and is not sent afterwards", async () => {
    const seen: (string | undefined)[] = [];
    const { client } = await served((request, response) => {
      seen.push(request.url);
      setTimeout(() => response.end(), 60);
    });
    const first = get(client, { path: "/first" });
    expect((await caught(get(client, { path: "/second", timeoutMs: 10 }))).code).toBe("DEADLINE_EXCEEDED");
    await first;
    await get(client, { path: "/third" });
    expect(seen).toEqual(["/first", "/third"]);
  });

  test("an aborted call is CANCELLED, before it is sent and while it waits", async () => {
    const { client } = await served(() => undefined);
    expect((await caught(get(client, { signal: AbortSignal.abort() }))).code).toBe("CANCELLED");
    const controller = new AbortController();
    const call = caught(get(client, { signal: controller.signal }));
    await sleep(10);
    controller.abort();
    expect((await call).code).toBe("CANCELLED");
  });

  test("a server that closes the connection in the middle is UNAVAILABLE, in one line that names it", async () => {
    const { client, url } = await served((_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half");
      setTimeout(() => response.destroy(), 5);
    });
    const { code, message } = await caught(get(client));
    expect([code, message]).toEqual(["UNAVAILABLE", expect.stringContaining(`no answer from ${url}: `)]);
    expect(message).not.toContain("\n");
  });

  test("an unreachable address is UNAVAILABLE, in one line that names it", async () => {
    const { client, server, url } = await served(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    expect(await caught(get(client))).toMatchObject({
      code: "UNAVAILABLE",
      message: `no answer from ${url}: connect ECONNREFUSED ${new URL(url).host}`,
    });
  });

  test("a server that does not speak HTTP is UNAVAILABLE", async () => {
    const server = createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = connect({ ...connectDefaults, url });
    onTestFinished(async () => {
      server.close();
      await client.close();
    });
    expect((await caught(get(client))).code).toBe("UNAVAILABLE");
  });

  test("closing waits for calls in flight; a call after it is CANCELLED", async () => {
    const { client } = await served((_request, response) => void setTimeout(() => response.end("done"), 20));
    const call = get(client);
    await client.close();
    expect((await call).body.toString()).toBe("done");
    expect((await caught(get(client))).code).toBe("CANCELLED");
  });

  /** A stream whose server sends one piece and then nothing, and a promise for the end of its request. */
  async function unfinished() {
    const ended = Promise.withResolvers<void>();
    const { client } = await served((_request, response) => {
      response.once("close", ended.resolve);
      response.write("one");
    });
    const limits = { timeoutMs: undefined, signal: undefined };
    const { body } = await client.stream({ method: "GET", path: "/", headers: {}, body: undefined, ...limits });
    return { iterator: body[Symbol.asyncIterator](), ended: ended.promise };
  }

  test("a reader who stops before the first piece ends the request at once", async () => {
    const { iterator, ended } = await unfinished();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    await ended;
  });

  test("a reader who stops after a piece gets no error, though more has come", async () => {
    const { client } = await served((_request, response) => void response.end(Buffer.alloc(8_000_000)));
    const limits = { timeoutMs: undefined, signal: undefined };
    const { body } = await client.stream({ method: "GET", path: "/", headers: {}, body: undefined, ...limits });
    const received: Buffer[] = [];
    for await (const piece of body) {
      received.push(piece);
      break;
    }
    expect(received).toHaveLength(1);
  });

  test("a reader who stops while the next piece is awaited ends the request at once", async () => {
    const { iterator, ended } = await unfinished();
    await iterator.next();
    const awaited = iterator.next();
    const stopped = iterator.return?.();
    expect((await caught(awaited)).code).toBe("CANCELLED");
    expect(await stopped).toEqual({ done: true, value: undefined });
    await ended;
  });

  test("streams that follow each other go over one connection, whose windows have grown", async () => {
    const { client, server } = await served((request, response) => {
      request.resume().once("end", () => response.end("a piece of the answer"));
    });
    let connections = 0;
    server.on("connection", () => (connections += 1));
    const options = { path: "/", headers: {}, timeoutMs: undefined, signal: undefined };
    for (let round = 0; round < 4; round += 1) {
      for await (const _ of (await client.stream({ ...options, method: "GET", body: undefined })).body);
      for await (const _ of (await client.stream({ ...options, method: "POST", body: pieces() })).body);
    }
    expect(connections).toBe(1);
  });

  test("a signal that outlives its calls keeps no reference to them, however they ended", async () => {
    const { client } = await served((request, response) => {
      if (request.url === "/hang-up") response.destroy();
      else if (request.url !== "/wait") response.end("done");
    });
    const { signal } = new AbortController();
    expect((await get(client, { signal })).body.toString()).toBe("done");
    expect(await caught(get(client, { signal, path: "/hang-up" }))).toMatchObject({ code: "UNAVAILABLE" });
    expect(await caught(get(client, { signal, path: "/wait", timeoutMs: 20 }))).toMatchObject({
      code: "DEADLINE_EXCEEDED",
    });
    const options = { method: "GET", path: "/", headers: {}, body: undefined, timeoutMs: undefined, signal };
    for await (const piece of (await client.stream(options)).body) expect(piece.toString()).toBe("done");
    await client.stream(options).then(({ body }) => body[Symbol.asyncIterator]().return?.());
    expect(await caught(client.stream({ ...options, path: "/wait", timeoutMs: 20 }))).toMatchObject({
      code: "DEADLINE_EXCEEDED",
    });
    await client.close();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test.each([
  { feature: "traceMethod", options: { method: "TRACE" } },
  { feature: "bodyOfGet", options: { body: "{}" } },
  { feature: "anyPort", options: {}, url: "http://127.0.0.1:6000" },
])("fetch declares that it lacks $feature, and undici has it", async ({ feature, options, url }) => {
  expect(fetchBinding.limitations.map((limitation) => limitation.feature)).toContain(feature);
  expect(undiciBinding.limitations).toEqual([]);
  const byFetch = await servedFor(fetchTransport, answerNothing, url === undefined ? {} : { url });
  expect((await caught(get(byFetch.client, options))).message).toMatch(/'TRACE'|cannot have body|bad port/);
  const byUndici = await servedFor(undiciTransport, answerNothing);
  expect((await get(byUndici.client, options)).status).toBe(200);
});
