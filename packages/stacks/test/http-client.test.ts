// What styles over HTTP/1.1 can rely on from every client library.
import { getEventListeners } from "node:events";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectDefaults, type ConnectOptions } from "../src/index.ts";
import { fetchTransport } from "../src/shared/fetch-transport.ts";
import { clients } from "../src/rest/libraries.ts";
import { undiciBinding } from "../src/shared/settings.ts";
import { undiciTransport } from "../src/shared/undici/undici-transport.ts";
import { caught } from "./support/pair.ts";
import { get, httpClients, type Listener, servedFor } from "./support/http-clients.ts";

const answerNothing: Listener = (_request, response) => void response.end();

describe.each(httpClients)("$library", ({ connect }) => {
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
    const json = { "x-a": "e", "content-type": "application/json" };
    expect((await get(client, { method: "POST", headers: json, body: " 1" })).body.toString()).toBe("POST / e 2031");
  });

  test("a path with dots is sent as given, and so are names that objects or the library keep for themselves", async () => {
    const names = ["constructor", "prototype", "get", "head", "common"];
    const { client } = await served((request, response) => {
      for (const name of names) response.setHeader(name, `${String(request.headers[name])} back`);
      response.end(request.url);
    });
    const sent = Object.fromEntries(names.map((name) => [name, `${name} there`]));
    const { headers, body } = await get(client, { path: "/a/../b/./%2e%2e/c", headers: sent });
    expect(body.toString()).toBe("/a/../b/./%2e%2e/c");
    expect(names.map((name) => headers[name])).toEqual(names.map((name) => `${name} there back`));
  });

  test("a request without a body states no media type, and a long header of its answer arrives", async () => {
    const { client } = await served((request, response) => {
      response.setHeader("x-long", "x".repeat(40_000)).end(String(request.headers["content-type"]));
    });
    const { headers, body } = await get(client, { method: "POST" });
    expect([headers["x-long"]?.length, body.toString()]).toEqual([40_000, "undefined"]);
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
    expect((await get(client, { timeoutMs: 30_000 })).body.toString()).toBe("soon");
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

test.each(httpClients.filter(({ library }) => library !== "fetch"))(
  "$library asks for no compressed answer, and passes one on as it is",
  async ({ connect }) => {
    const { client } = await servedFor(connect, (request, response) => {
      response.setHeader("content-encoding", "gzip").end(`${String(request.headers["accept-encoding"])}, not gzip`);
    });
    expect((await get(client)).body.toString()).toBe("undefined, not gzip");
  },
);

test.each([
  { feature: "traceMethod", options: { method: "TRACE" } },
  { feature: "bodyOfGet", options: { body: "{}" } },
  { feature: "anyPort", options: {}, url: "http://127.0.0.1:6000" },
])("fetch declares that it lacks $feature, and undici has it", async ({ feature, options, url }) => {
  expect(clients["fetch"]?.limitations.map((limitation) => limitation.feature)).toContain(feature);
  expect(undiciBinding.limitations).toEqual([]);
  const byFetch = await servedFor(fetchTransport, answerNothing, url === undefined ? {} : { url });
  expect((await caught(get(byFetch.client, options))).message).toMatch(/'TRACE'|cannot have body|bad port/);
  const byUndici = await servedFor(undiciTransport, answerNothing);
  expect((await get(byUndici.client, options)).status).toBe(200);
});
