// What is on the wire between a client and a server: relays between the two, servers that are not ours, sockets, and frames of HTTP/2.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ClientHttp2Stream, connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { certificate } from "./pair.ts";

/** Listens on a free port until the test is over. Resolves to the address. */
export async function urlOf(server: Server, scheme = "http"): Promise<string> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => void open.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP server that answers when it has the whole body of a request. Resolves to its address. */
export function answeringServer(
  answer: (response: ServerResponse, body: string, request: IncomingMessage) => void,
): Promise<string> {
  const server = createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => answer(response, Buffer.concat(pieces).toString(), request));
  });
  return urlOf(server);
}

// Relays: each passes on what a client sends to the server at a URL, and what comes back.

function passedOn(client: Socket, url: URL): Socket {
  const server = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  server.on("error", () => client.destroy());
  client.on("close", () => server.destroy());
  client.pipe(server);
  return server;
}

/** The server's address with the relay's port in it. */
async function relayUrl(relay: Server, url: URL): Promise<string> {
  const relayed = new URL(url);
  relayed.port = new URL(await urlOf(relay)).port;
  return relayed.href.replace(/\/$/, "");
}

export interface CountingRelay {
  readonly url: string;
  readonly port: number;
  /** Bytes passed on so far. */
  readonly toServer: number;
  readonly toClient: number;
}

export async function countingRelay(to: string): Promise<CountingRelay> {
  const target = new URL(to);
  const counts = { toServer: 0, toClient: 0 };
  const relay = createServer({ noDelay: true }, (client) => {
    client.on("data", (chunk) => (counts.toServer += chunk.length));
    passedOn(client, target)
      .on("data", (chunk) => (counts.toClient += chunk.length))
      .pipe(client);
  });
  const url = await relayUrl(relay, target);
  return Object.assign(counts, { url, port: Number(new URL(url).port) });
}

export interface OpeningRelay {
  readonly url: string;
  /** Passes on what clients have sent, and everything from now on. */
  open(): void;
  /** Resolves when the client has ended its first connection, of itself: the server's end is not passed on. */
  readonly ended: Promise<void>;
}

export async function openingRelay(to: string): Promise<OpeningRelay> {
  const opening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const relay = createServer({ pauseOnConnect: true }, (client) => {
    for (const event of ["end", "error", "close"]) client.on(event, () => ended.resolve());
    void opening.promise.then(() => passedOn(client, new URL(to)).pipe(client, { end: false }));
  });
  return { url: await relayUrl(relay, new URL(to)), open: () => opening.resolve(), ended: ended.promise };
}

export interface TlsFront {
  readonly url: string;
  /** What clients trust it by. */
  readonly ca: string;
  /** For each connection in their order, whether it resumed a session. */
  readonly resumed: readonly boolean[];
  /** The version of TLS that each connection speaks. */
  readonly versions: readonly (string | null)[];
}

/** Ends TLS in front of a plain server, and reports what each handshake was. */
export async function tlsFront(to: string): Promise<TlsFront> {
  const tls = await certificate;
  const resumed: boolean[] = [];
  const versions: (string | null)[] = [];
  const front = createTlsServer({ ...tls, ALPNProtocols: ["h2", "http/1.1"], noDelay: true }, (client) => {
    resumed.push(client.isSessionReused());
    versions.push(client.getProtocol());
    client.on("error", () => undefined);
    passedOn(client, new URL(to)).pipe(client);
  });
  return { url: await urlOf(front, "https"), ca: tls.ca, resumed, versions };
}

/**
 * A set that grows with every TCP connection begun from now until the end of the test, but for those that nobody takes: clients of tests before may still try
 * to reach servers that have gone. @param url connections to its port, and attempts at them, instead.
 */
export function clientSockets(url?: string): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const wanted = url === undefined ? undefined : Number(new URL(url).port);
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (wanted === undefined) {
      sockets.add(socket);
      socket.once("connectionAttemptFailed", () => sockets.delete(socket));
    } else socket.on("connectionAttempt", (_address: string, port: number) => port === wanted && sockets.add(socket));
  };
  subscribe("net.client.socket", onSocket);
  onTestFinished(() => {
    unsubscribe("net.client.socket", onSocket);
  });
  return sockets;
}

/** What a server said before it hung up. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes, given as Latin-1, and resolves to what has come back when the server hangs up. */
export async function spokenTo(url: string, bytes: string): Promise<RawAnswer> {
  const { port, hostname, protocol } = new URL(url);
  const to = { port: Number(port), host: hostname };
  const socket = protocol === "https:" ? connectTls({ ...to, ca: (await certificate).ca }) : connect(to);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => {});
  socket.write(Buffer.from(bytes, "latin1"));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}

// HTTP/2 frames as they are on the wire (RFC 9113, section 4.1).

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

const settingsType = 4;
const windowUpdateType = 8;
/** SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, section 6.5.2). */
const initialWindowSize = 4;
const headerBytes = 9;

/** A SETTINGS frame that leaves all as it is, or the acknowledgement of one. */
export function settingsFrame({ ack }: { readonly ack: boolean }): Buffer {
  return Buffer.from([0, 0, 0, settingsType, ack ? 1 : 0, 0, 0, 0, 0]);
}

/** All frames that are whole. */
export function framesIn(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const end = at + headerBytes + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type = 0, flags = 0] = bytes.subarray(at + 3, at + 5);
    frames.push({ type, flags, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + headerBytes, end) });
    at = end;
  }
  return frames;
}

/** Bytes that the other end may have under way by these frames, on each stream and on the connection: 65,535 each unless they say otherwise. */
export function windowsSaidBy(frames: readonly Frame[]): {
  readonly streamBytes: number;
  readonly connectionBytes: number;
} {
  let streamBytes = 65_535;
  let connectionBytes = 65_535;
  for (const { type, flags, stream, payload } of frames) {
    if (type === settingsType && flags === 0) {
      for (let at = 0; at < payload.length; at += 6) {
        if (payload.readUInt16BE(at) === initialWindowSize) streamBytes = payload.readUInt32BE(at + 2);
      }
    }
    if (type === windowUpdateType && stream === 0) connectionBytes += payload.readUInt32BE(0);
  }
  return { streamBytes, connectionBytes };
}

/** A bare connection to a server, closed with the test. */
export async function rawSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** A call of gRPC by bare HTTP/2, whose connection is closed with the test. */
export function bareCall(url: string, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  const session = connectHttp2(url);
  onTestFinished(() => session.destroy());
  session.on("error", () => {});
  const common = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  return session.request({ ...common, ...headers });
}
