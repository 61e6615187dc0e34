// What styles over HTTP/1.1 can rely on from every client library: whole answers, streamed bodies, and TLS.
import { getEventListeners } from "node:events";
import { type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectDefaults, serveDefaults, type ConnectOptions } from "../src/index.ts";
import { serveHttp } from "../src/shared/node-server/http-server.ts";
import { fetchTransport } from "../src/shared/fetch-transport.ts";
import { undiciTransport } from "../src/shared/undici/undici-transport.ts";
import { caught, certificate } from "./support/pair.ts";
import type { HttpRequest, HttpStream, HttpStreamRequest, HttpTransport } from "../../styles/src/shared/http/client.ts";
import { createServer as createTlsServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { urlOf } from "./support/wire.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { axiosTransport } from "../src/rest/clients/axios.ts";

const httpClients = [
  { library: "undici", connect: undiciTransport },
  { library: "fetch", connect: fetchTransport },
  { library: "axios", connect: axiosTransport },
];

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

const plainGet: HttpRequest = {
  method: "GET",
  path: "/",
  headers: {},
  body: undefined,
  timeoutMs: undefined,
  signal: undefined,
};

function get(client: HttpTransport, options: Partial<HttpRequest> = {}) {
  return client.send({ ...plainGet, ...options });
}

/** Calls with streamed bodies. */
function streamed(client: HttpTransport, options: Partial<HttpStreamRequest> = {}) {
  return client.stream({ ...plainGet, ...options });
}

describe.each(httpClients)("$library", ({ connect }) => {
  const served = (listener: Listener, options?: Partial<ConnectOptions>) => servedFor(connect, listener, options);

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

// Streamed bodies over HTTP/1.1 by every client library.

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from("one");
  yield Buffer.from("two");
}

async function textOf(body: HttpStream["body"]): Promise<string> {
  const received: Buffer[] = [];
  for await (const piece of body) received.push(piece);
  return Buffer.concat(received).toString();
}

describe.each(httpClients)("$library", ({ connect }) => {
  const served = (listener: Listener) => servedFor(connect, listener);

  test.each(["POST", "DELETE"])("a stream goes out with %s, and its end with it", async (method) => {
    const { client } = await served((request, response) => void request.pipe(response));
    const { body } = await streamed(client, { method, body: pieces() });
    expect(await textOf(body)).toBe("onetwo");
  });

  test("an answer before the end of the request is read, and ends the request and its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await served((request, response) => {
      request.socket.once("close", closed.resolve);
      response.writeHead(400).end("no more");
    });
    const ended = Promise.withResolvers<void>();
    const endless = async function* () {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        ended.resolve();
      }
    };
    const answer = await streamed(client, { method: "POST", body: endless() });
    expect([answer.status, await textOf(answer.body)]).toEqual([400, "no more"]);
    await Promise.all([ended.promise, closed.promise]);
  });

  /** A stream whose server sends one piece and then nothing, and a promise for the end of its request. */
  async function unfinished() {
    const ended = Promise.withResolvers<void>();
    const { client } = await served((_request, response) => {
      response.once("close", ended.resolve);
      response.write("one");
    });
    const { body } = await streamed(client);
    return { iterator: body[Symbol.asyncIterator](), ended: ended.promise };
  }

  test("a reader who stops before the first piece ends the request at once", async () => {
    const { iterator, ended } = await unfinished();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    await ended;
  });

  test("a reader who stops after a piece gets no error, though more has come", async () => {
    const { client } = await served((_request, response) => void response.end(Buffer.alloc(8_000_000)));
    const { body } = await streamed(client);
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
    for (let round = 0; round < 4; round += 1) {
      await textOf((await streamed(client)).body);
      await textOf((await streamed(client, { method: "POST", body: pieces() })).body);
    }
    expect(connections).toBe(1);
  });
});

// What TLS under the shared HTTP client can be relied on for, over real sockets.

interface Handshake {
  readonly serverName: string | false | null;
  readonly protocol: string | false | null;
  readonly isResumed: boolean;
}

/** An HTTPS server that closes every connection after its answer, and what the handshakes of its clients were. */
async function tlsServer() {
  const tls = await certificate;
  const handshakes: Handshake[] = [];
  const server = createTlsServer({ ...tls, ALPNProtocols: ["h2", "http/1.1"] }, (_request, response) => {
    response.setHeader("connection", "close").end("hello");
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const { servername } = socket as TLSSocket & { readonly servername: string | false };
    handshakes.push({
      serverName: servername,
      protocol: socket.alpnProtocol,
      isResumed: socket.isSessionReused(),
    });
  });
  const { port } = new URL(await urlOf(server));
  return { port, handshakes, ca: tls.ca };
}

function tlsClientOf(options: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>): HttpTransport {
  const client = undiciTransport({ ...connectDefaults, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function getBody(client: HttpTransport, options: { readonly timeoutMs?: number } = {}): Promise<string> {
  const rest = { headers: {}, body: undefined, signal: undefined };
  const { body } = await client.send({ method: "GET", path: "/", ...rest, timeoutMs: options.timeoutMs });
  return body.toString();
}

test("a server is asked for by its name, never by an address, and always for HTTP/1.1", async () => {
  const { port, handshakes, ca } = await tlsServer();
  expect(await getBody(tlsClientOf({ url: `https://localhost:${port}`, ca }))).toBe("hello");
  expect(await getBody(tlsClientOf({ url: `https://127.0.0.1:${port}`, ca }))).toBe("hello");
  expect(handshakes).toEqual([
    { serverName: "localhost", protocol: "http/1.1", isResumed: false },
    { serverName: false, protocol: "http/1.1", isResumed: false },
  ]);
});

function expectingAxios(options: ConnectOptions): HttpTransport {
  return axiosTransport(options, true);
}

const echoing: Listener = async (request, response) => {
  response.end(`${String(request.headers["expect"])}: ${Buffer.concat(await request.toArray()).toString()}`);
};

test("axios sends a body once the server asks for it, and after an answer that did not ask", async () => {
  // One connection for the call that waits.
  const { server, client } = await servedFor(expectingAxios, echoing, { connections: 2 });
  const early: number[] = [];
  let asks = true;
  const check = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // By then a body that had not waited would have come too.
    await get(client);
    early.push(request.readableLength);
    if (asks) response.writeContinue();
    server.emit("request", request, response);
  };
  server.on("checkContinue", (request, response) => void check(request, response));
  const put = async (): Promise<string> => (await get(client, { method: "PUT", body: "body" })).body.toString();
  expect(await put()).toBe("100-continue: body");
  asks = false;
  server.removeAllListeners("request").on("request", (_request, response: ServerResponse) => response.end("no"));
  expect([await put(), await put()]).toEqual(["no", "no"]);
  expect(early).toEqual([0, 0, 0]);
  expect((await get(client)).body.toString()).toBe("no");
});

test("a server that speaks no newer TLS than 1.2 is called over it", async () => {
  const tls = await certificate;
  const versions: (string | null)[] = [];
  for (const tlsVersion of ["1.2", "1.3"]) {
    const server = await serveHttp(
      (request, response) => {
        versions.push((request.socket as TLSSocket).getProtocol());
        response.end("hello");
      },
      { ...serveDefaults, tls, settings: { tlsVersion } },
    );
    onTestFinished(() => server.close());
    expect(await getBody(tlsClientOf({ url: server.url, ca: tls.ca }))).toBe("hello");
  }
  expect(versions).toEqual(["TLSv1.2", "TLSv1.3"]);
});
