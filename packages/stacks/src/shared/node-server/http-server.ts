// Listening and shutdown of every HTTP/1.1 stack, and answers to requests that break HTTP itself.
import { CallError } from "@roundtrip/contract";
import type { FaultBody, WriteFaultBody } from "@roundtrip/styles/http/server";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { callerJudge, type HttpFault, type JudgeCaller } from "../callers.ts";
import { isExemptFromRequestLimit } from "./request-body.ts";
import { httpServerSettingsWith } from "../settings.ts";
import { tlsUpTo } from "../tls.ts";
import { listen } from "../listening.ts";
import { noteError } from "../noted-errors.ts";
import { unreadAnswers } from "../unread-answers.ts";
import type { RunningServer, ServeOptions, SharedPort } from "../../basics/stack.ts";
export { foreignOrigin, isLoopbackAddress } from "../callers.ts";
export { bodyReader, decodedBytes } from "./request-body.ts";

// An `import` would also load Node.js's HTTP client, a lazy export: a tenth of a process's start time.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

// Answers to faults of HTTP itself. The style only writes the body.

function bodyOf({ status, code, message }: HttpFault, write: WriteFaultBody): FaultBody {
  return write(new CallError(code, message), status);
}

function answerFault(fault: HttpFault, response: ServerResponse, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  noteError(response, fault);
  response.writeHead(fault.status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

/** Answers on a socket without a response object, and closes it. */
function answerOnSocket(fault: HttpFault, socket: Duplex, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}

// Answers bytes that are not HTTP with a body of the style; Node.js would send a bare status.

const faults: Readonly<Record<string, HttpFault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "RESOURCE_EXHAUSTED", message: "the headers are too large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: "RESOURCE_EXHAUSTED", message: "the chunks are too large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "DEADLINE_EXCEEDED", message: "the request took too long to arrive" },
};

const noHttp: HttpFault = { status: 400, code: "INVALID_ARGUMENT", message: "this is no HTTP/1.1 request" };

const unknownMethod: HttpFault = { status: 501, code: "UNIMPLEMENTED", message: "there is no such HTTP method here" };

/** The request line of RFC 9112, section 3, with any method. */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ [!-~]+ HTTP\/1\.[01]\r?\n/;

/** The error that Node.js reports for unreadable bytes. */
interface UnreadableBytes extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** The socket property in which Node.js keeps its current response; its own answer to faults reads it too. */
const answering = "_httpMessage";

interface ServedSocket extends Duplex {
  readonly [answering]?: { readonly headersSent: boolean } | null;
}

function faultOf({ code = "", rawPacket }: UnreadableBytes): HttpFault {
  const isMethod = code === "HPE_INVALID_METHOD" && requestLine.test(rawPacket?.toString("latin1") ?? "");
  return isMethod ? unknownMethod : (faults[code] ?? noHttp);
}

/** Errors after which a connection cannot carry an answer. */
const unheard: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "ERR_TLS_HANDSHAKE_TIMEOUT"]);

/** Answers unreadable bytes, and closes the connection: what follows cannot be read either. */
function answerMalformed(unreadable: UnreadableBytes, socket: ServedSocket, writeBody: WriteFaultBody): void {
  // The peer does not read, or an answer has begun, which a second one would corrupt.
  if (unheard.has(unreadable.code) || !socket.writable || socket[answering]?.headersSent === true) {
    socket.destroy();
    return;
  }
  answerOnSocket(faultOf(unreadable), socket, writeBody);
}

// Refuses requests that every HTTP/1.1 server must refuse. Node.js would answer them with a bare status.

function invalid(message: string): HttpFault {
  return { status: 400, code: "INVALID_ARGUMENT", message };
}

const noHost = invalid("the request has no Host header");
const twoHosts = invalid("the request has more than one Host header");
const oddHost = invalid("the Host header names no host");

const unknownExpectation: HttpFault = {
  status: 417,
  code: "INVALID_ARGUMENT",
  message: "the only expectation that is met is 100-continue",
};

/** Node.js decodes chunks only, and would pass on other transfer codings undecoded. */
const unknownCoding: HttpFault = {
  status: 501,
  code: "UNIMPLEMENTED",
  message: "the only transfer coding that is read is chunked",
};

const noTunnels: HttpFault = { status: 501, code: "UNIMPLEMENTED", message: "this server is no proxy" };

/** RFC 3986, section 3.2: a host and its port, or nothing. */
const hostText = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

let lastHost = "";

/** Also refuses hosts of which libraries can make no URL, such as 256.0.0.1: some answer those with 500. */
function isHost(text: string): boolean {
  if (text === "" || text === lastHost) return true;
  if (!hostText.test(text) || !URL.canParse(`http://${text}`)) return false;
  lastHost = text;
  return true;
}

/** The fault of the Host header (RFC 9112, section 3.2); undefined for a valid one. */
function hostFault({ rawHeaders, headers, httpVersion }: IncomingMessage): HttpFault | undefined {
  let hosts = 0;
  // The parsed headers keep only the first Host.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts === 1) return isHost(headers.host as string) ? undefined : oddHost;
  if (hosts > 1) return twoHosts;
  return httpVersion === "1.0" ? undefined : noHost;
}

/** The fault of the transfer coding (RFC 9112, section 6.1). */
function codingFault({ headers }: IncomingMessage): HttpFault | undefined {
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : unknownCoding;
}

const slash = 0x2f;

/** The host that a request asks for: that of a whole URL as its target takes precedence (RFC 9112, section 3.2.2). */
function authorityOf({ url = "", headers }: IncomingMessage): string | undefined {
  if (url.charCodeAt(0) === slash) return headers.host;
  return /^https?:\/\/([^/?]*)/i.exec(url)?.[1] ?? headers.host;
}

/** Whether a request is refused may depend on its page. */
const refusalHeaders = new Map([
  ["connection", "close"],
  ["vary", "Origin"],
]);

/** Refuses invalid requests, and those of callers that the server does not answer, before they reach the listener. */
function acceptable(listener: RequestListener, judgeCaller: JudgeCaller, writeBody: WriteFaultBody): RequestListener {
  return (request, response) => {
    const fault = hostFault(request) ?? codingFault(request) ?? judgeCaller(request, authorityOf(request));
    if (fault === undefined) listener(request, response);
    else answerFault(fault, response.setHeaders(refusalHeaders), writeBody);
  };
}

function answerRefused(server: Server, writeBody: WriteFaultBody): void {
  server.on("clientError", (unreadable: UnreadableBytes, socket) => {
    if (unreadable.code === "ERR_HTTP_REQUEST_TIMEOUT" && isExemptFromRequestLimit(socket)) return;
    answerMalformed(unreadable, socket, writeBody);
  });
  server.on("checkExpectation", (request, response) =>
    answerFault(hostFault(request) ?? unknownExpectation, response, writeBody),
  );
  server.on("connect", (_request, socket) => {
    // Node.js passes such a socket without an error listener.
    socket.on("error", () => socket.destroy());
    answerOnSocket(noTunnels, socket, writeBody);
  });
}

// Pipelining: requests that arrive before earlier ones are answered (RFC 9112, section 9.3.2). Node.js sends answers in order, but passes
// requests on at once. Without a limit, one connection could run any number of handlers.

const mostWaiting = 100;

/** Runs one request of a connection at a time; closes it above {@link mostWaiting}. Without pipelining this costs one property read. */
function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node.js gives a response its socket when the responses before it are sent.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    if (others >= mostWaiting) {
      socket.destroy();
      return;
    }
    waiting.set(socket, others + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      // Not within the end of the previous response.
      queueMicrotask(() => listener(request, response));
    });
  };
}

const limits = {
  maxHeaderSize: 64 * 1024,
  // Checked by this package, whose answer has a body.
  requireHostHeader: false,
} as const;

/** Node.js checks for slow senders at intervals: it closes a connection at most this fraction of the limit late. */
const slowSenderTicks = 4;

/** How often a closing server checks for idle connections, in milliseconds. */
const closingTickMs = 5;

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A busy connection becomes idle after its answer; Node.js would keep it open for the next request.
    const tick = setInterval(() => server.closeIdleConnections(), closingTickMs);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(tick);
      clearTimeout(cut);
      resolve();
    });
  });
}

/** Closes connections with an unread answer after one to two times `maxUnreadMs`: Node.js checks for progress at intervals. */
function closeUnread(server: Server, maxUnreadMs: number): void {
  const idleMs = server.keepAliveTimeout + server.keepAliveTimeoutBuffer;
  // During a request the time-out of a connection is this one, otherwise the idle one. Different values distinguish the two.
  const unreadMs = maxUnreadMs === idleMs ? maxUnreadMs + 1 : maxUnreadMs;
  server.setTimeout(unreadMs, (socket: Socket) => {
    const isIdle = socket.timeout !== unreadMs;
    // Otherwise the handler is slow, or the next message of a stream.
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}

/** Counts what a connection does not read, without what the system takes. Small answers cost one comparison. */
function countUnread(socket: Socket): void {
  const write = socket.write.bind(socket) as (chunk: unknown, encoding: unknown, done: unknown) => boolean;
  const close = (): unknown => socket.destroy();
  let isDue = false;
  const count = (): void => {
    isDue = false;
    unreadAnswers.set(socket, socket.destroyed ? 0 : socket.writableLength, close);
  };
  socket.write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const hasRoom = write(chunk, encoding, done);
    if (!hasRoom && !isDue) {
      isDue = true;
      // The parts of an answer are written together.
      queueMicrotask(count);
    }
    return hasRoom;
  };
  socket.on("drain", count).once("close", count);
}

/**
 * Sets the Connection header of each answer. `close` announces the last answer (RFC 9112, section 9.6), so that clients know before their next call.
 * `keep-alive` promises another, without the idle time that Node.js would add.
 */
function withConnectionHeader(connection: "close" | "keep-alive", listener: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader("connection", connection);
    listener(request, response);
  };
}

/**
 * Reads TLS connections as streams. Without a listener for data, Node.js passes what it decrypts straight to its parser, even while that is paused
 * behind an answer that is being sent, and then ends the connection with HPE_PAUSED.
 */
function readAsStreams(server: Server): void {
  server.on("secureConnection", (socket: Socket) => socket.on("data", () => {}));
}

const plainly: WriteFaultBody = ({ message }) => ({ type: "text/plain; charset=utf-8", text: `${message}\n` });

interface HttpServer extends RunningServer {
  /** Sends new requests to another listener, on open connections too. */
  replace(listener: RequestListener): void;
}

// Upgrades to WebSocket. If there is a listener for upgrades, Node.js passes it every request that asks for one, and no longer counts the connection.

/** Takes a request to open a WebSocket. Returns false to have it answered like any other. */
export type TakeUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;

/** Headers that ask for an upgrade. Java's HttpClient sends them with its first request, for HTTP/2. */
const ofUpgrade: ReadonlySet<string> = new Set(["upgrade", "connection", "http2-settings"]);

/** A request as it was received, without the upgrade: servers may ignore that (RFC 9110, section 7.8). */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!ofUpgrade.has(name.toLowerCase())) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]);
}

interface HttpPort {
  readonly server: Server;
  /** Rejects with a StackError when it cannot. */
  listen(): Promise<string>;
  onUpgrade(take: TakeUpgrade): void;
  /** Refuses new connections, and waits for calls within the grace time. */
  close(): Promise<void>;
}

/** A port for HTTP/1.1, or HTTPS with `tls`, with the limits of its connections. @param protocols those of ALPN */
export function httpPort(
  options: ServeOptions,
  set: ReturnType<typeof httpServerSettingsWith>,
  writeBody: WriteFaultBody = plainly,
  protocols: readonly string[] = ["http/1.1"],
): HttpPort {
  const { shutdownGraceMs, maxConnections, maxHeadersMs, maxRequestMs, maxUnreadMs } = options;
  const { maxConnectionIdleMs, keepAliveHint } = set;
  const tls = tlsUpTo(options, set);
  const settings = {
    ...limits,
    keepAliveTimeout: maxConnectionIdleMs,
    // Node.js keeps a connection a little longer than announced. Without the hint that has no use.
    ...(keepAliveHint ? {} : { keepAliveTimeoutBuffer: 0 }),
    headersTimeout: maxHeadersMs,
    requestTimeout: maxRequestMs,
    connectionsCheckingInterval: Math.ceil(maxHeadersMs / slowSenderTicks),
  };
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, ALPNProtocols: [...protocols], handshakeTimeout: maxHeadersMs });
  if (tls !== undefined) readAsStreams(server);
  server.maxConnections = maxConnections;
  answerRefused(server, writeBody);
  closeUnread(server, maxUnreadMs);
  const event = tls === undefined ? "connection" : "secureConnection";
  server.on(event, countUnread);
  const upgraded = new Set<Socket>();
  let closing: Promise<void> | undefined;
  return {
    server,
    listen: () => listen(server, options),
    onUpgrade(take) {
      server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
        if (request.headers.upgrade?.toLowerCase() === "websocket" && take(request, socket, head)) {
          upgraded.add(socket);
          // Node.js passes such a socket without an error listener.
          socket.on("error", () => socket.destroy()).once("close", () => upgraded.delete(socket));
          return;
        }
        socket.unshift(withoutUpgrade(request, head));
        server.emit(event, socket);
      });
    },
    close() {
      const cut = setTimeout(() => {
        for (const socket of upgraded) socket.destroy();
      }, shutdownGraceMs);
      return (closing ??= closed(server, shutdownGraceMs).finally(() => clearTimeout(cut)));
    },
  };
}

/**
 * Serves HTTP/1.1, or HTTPS with `tls`, on a port of its own or a shared one. Rejects with a StackError when it cannot listen. @param writeBody writes
 * bodies of HTTP's own errors.
 */
export async function serveHttp(
  listener: RequestListener,
  options: ServeOptions,
  writeBody: WriteFaultBody = plainly,
  openSocket?: TakeUpgrade,
): Promise<HttpServer> {
  const { allowedOrigins, sharedPort } = options;
  const set = httpServerSettingsWith(options.settings);
  let current = listener;
  const own: RequestListener = (request, response) => current(request, response);
  // Loaded only for browser callers: measured servers do without.
  const open = allowedOrigins.length === 0 ? own : (await import("./http-cors.ts")).withCors(own, allowedOrigins);
  const announcing = !set.keepAlive
    ? withConnectionHeader("close", open)
    : set.keepAliveHint
      ? open
      : withConnectionHeader("keep-alive", open);
  const port = sharedPort === undefined ? httpPort(options, set, writeBody) : undefined;
  const server = port?.server ?? (sharedPort as SharedPort).http1;
  const judgeCaller = callerJudge(port?.server ?? (sharedPort as SharedPort), options, set.allowedHosts);
  server.on("request", oneAtATime(acceptable(announcing, judgeCaller, writeBody)));
  options.watch?.listen(server);
  if (openSocket !== undefined) {
    const take: TakeUpgrade = (request, socket, head) => {
      // A page may open a WebSocket to any server, and read what it sends.
      const asked = { method: "POST", headers: request.headers };
      const fault = hostFault(request) ?? judgeCaller(asked, authorityOf(request));
      if (fault === undefined) return openSocket(request, socket, head);
      answerOnSocket(fault, socket, writeBody);
      return true;
    };
    if (port === undefined) (sharedPort as SharedPort).takeUpgrade = take;
    else port.onUpgrade(take);
  }
  const url = port === undefined ? (sharedPort as SharedPort).url : await port.listen();
  return {
    url,
    replace: (next) => void (current = next),
    close: () => (port ?? (sharedPort as SharedPort)).close(),
  };
}
