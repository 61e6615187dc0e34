// What TLS under the shared HTTP client can be relied on for, over real sockets.
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import type { HttpTransport } from "../../styles/src/shared/http/client.ts";
import { undiciTransport } from "../src/shared/undici/undici-transport.ts";
import { connectDefaults, type ConnectOptions } from "../src/index.ts";
import { caught, certificate } from "./support/pair.ts";

interface Handshake {
  readonly serverName: string | false | null;
  readonly protocol: string | false | null;
  readonly isResumed: boolean;
}

/** An HTTPS server that closes every connection after its answer, and what the handshakes of its clients were. */
async function tlsServer() {
  const tls = await certificate;
  const handshakes: Handshake[] = [];
  const server = createServer({ ...tls, ALPNProtocols: ["h2", "http/1.1"] }, (_request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, handshakes, ca: tls.ca };
}

function clientOf(options: Pick<ConnectOptions, "url"> & Partial<ConnectOptions>): HttpTransport {
  const client = undiciTransport({ ...connectDefaults, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function get(client: HttpTransport, options: { readonly timeoutMs?: number } = {}): Promise<string> {
  const rest = { headers: {}, body: undefined, signal: undefined };
  const { body } = await client.send({ method: "GET", path: "/", ...rest, timeoutMs: options.timeoutMs });
  return body.toString();
}

test("a server is asked for by its name, never by an address, and always for HTTP/1.1", async () => {
  const { port, handshakes, ca } = await tlsServer();
  expect(await get(clientOf({ url: `https://localhost:${port}`, ca }))).toBe("hello");
  expect(await get(clientOf({ url: `https://127.0.0.1:${port}`, ca }))).toBe("hello");
  expect(handshakes).toEqual([
    { serverName: "localhost", protocol: "http/1.1", isResumed: false },
    { serverName: false, protocol: "http/1.1", isResumed: false },
  ]);
});

test("a server that does not speak TLS is UNAVAILABLE, in one line that names it", async () => {
  const server = createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, message } = await caught(get(clientOf({ url })));
  expect([code, message]).toEqual(["UNAVAILABLE", expect.stringContaining(`no answer from ${url}: `)]);
  expect(message.trim()).not.toContain("\n");
});

test("a server that never answers the handshake does not hold a call past its deadline", async () => {
  const server = createTcpServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = undiciTransport({ ...connectDefaults, url });
  expect((await caught(get(client, { timeoutMs: 50 }))).code).toBe("DEADLINE_EXCEEDED");
  // The connection that is still being opened would keep the server from closing.
  server.close();
});
