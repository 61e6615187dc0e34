// Listening and shutdown of every HTTP/1.1 stack.
import { createServer, type WriteFaultBody } from "@roundtrip/styles/http/server";
import type { RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { acceptable, answerRefused } from "./http-faults.ts";
import { httpServerSettingsWith } from "../settings.ts";
import { listen } from "../listening.ts";
import type { RunningServer, ServeOptions } from "../../basics/stack.ts";

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

/** Serves HTTP/1.1, or HTTPS with `tls`. Rejects with a StackError when it cannot listen. @param writeBody writes bodies of HTTP's own errors. */
export async function serveHttp(
  listener: RequestListener,
  options: ServeOptions,
  writeBody: WriteFaultBody = plainly,
): Promise<HttpServer> {
  const { tls, shutdownGraceMs, maxConnections, maxHeadersMs, maxRequestMs, maxUnreadMs, allowedOrigins } = options;
  const { keepAlive, maxConnectionIdleMs, keepAliveHint } = httpServerSettingsWith(options.settings);
  const settings = {
    ...limits,
    keepAliveTimeout: maxConnectionIdleMs,
    // Node.js keeps a connection a little longer than announced. Without the hint that has no use.
    ...(keepAliveHint ? {} : { keepAliveTimeoutBuffer: 0 }),
    headersTimeout: maxHeadersMs,
    requestTimeout: maxRequestMs,
    connectionsCheckingInterval: Math.ceil(maxHeadersMs / slowSenderTicks),
  };
  let current = listener;
  const own: RequestListener = (request, response) => current(request, response);
  // Loaded only for browser callers: measured servers do without.
  const open = allowedOrigins.length === 0 ? own : (await import("./http-cors.ts")).withCors(own, allowedOrigins);
  const said = !keepAlive
    ? withConnectionHeader("close", open)
    : keepAliveHint
      ? open
      : withConnectionHeader("keep-alive", open);
  const accepting = oneAtATime(acceptable(said, writeBody));
  const server =
    tls === undefined
      ? createServer(settings, accepting)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: maxHeadersMs }, accepting);
  if (tls !== undefined) readAsStreams(server);
  options.watch?.listen(server);
  server.maxConnections = maxConnections;
  answerRefused(server, writeBody);
  closeUnread(server, maxUnreadMs);
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return {
    url,
    replace: (next) => void (current = next),
    close: () => (closing ??= closed(server, shutdownGraceMs)),
  };
}
