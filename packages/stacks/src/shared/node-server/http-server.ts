// Listening and shutting down, the same for every stack that serves HTTP/1.1: what a request means is the stack's own.
import { createServer, type WriteFaultBody } from "@roundtrip/styles/http/server";
import type { RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { acceptable, answerRefused } from "./http-refusal.ts";
import { httpServerSettingsWith } from "../http-settings.ts";
import { oneAtATime } from "./http-pipelining.ts";
import { listen } from "../listening.ts";
import type { RunningServer, ServeOptions } from "../../basics/stack.ts";

const limits = {
  maxHeaderSize: 64 * 1024,
  // Looked at here, where the answer has a body.
  requireHostHeader: false,
} as const;

/** Node looks for slow senders now and then: a sender is dropped at its limit, or this share of it later. */
const slowSenderTicks = 4;

/** How often a closing server looks for connections whose last answer is out. */
const closingTickMs = 5;

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy at first is idle once its answer is out; Node would keep it open for the next request.
    const tick = setInterval(() => server.closeIdleConnections(), closingTickMs);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(tick);
      clearTimeout(cut);
      resolve();
    });
  });
}

/**
 * Closes connections whose caller takes nothing of an answer for so long, or up to twice that: Node.js looks whether a connection that says nothing
 * has taken some of what is written since it looked last.
 */
function closeUnread(server: Server, maxUnreadMs: number): void {
  const idleMs = server.keepAliveTimeout + server.keepAliveTimeoutBuffer;
  // While a request is under way this is a connection's time-out, and the other one in between: different values can be distinguished.
  const unreadMs = maxUnreadMs === idleMs ? maxUnreadMs + 1 : maxUnreadMs;
  server.setTimeout(unreadMs, (socket: Socket) => {
    const isIdle = socket.timeout !== unreadMs;
    // Otherwise it is the handler who takes its time, or the next message of a stream.
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}

/**
 * What each answer says of its connection, where it is not what Node.js says: `close`, that it is the last (RFC 9112, section 9.6), so that who
 * called knows before it could call again; `keep-alive`, that it is not, and nothing of how long the connection is kept.
 */
function saying(connection: "close" | "keep-alive", listener: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader("connection", connection);
    listener(request, response);
  };
}

const plainly: WriteFaultBody = ({ message }) => ({ type: "text/plain; charset=utf-8", text: `${message}\n` });

/** A server over HTTP/1.1 whose listener can change. */
export interface HttpServer extends RunningServer {
  /** Requests that come from now on are another listener's, on open connections too. */
  replace(listener: RequestListener): void;
}

/**
 * Serves over HTTP/1.1, or HTTPS when `tls` is given. Rejects with a StackError when it cannot listen.
 * @param writeBody writes the answer to what HTTP itself refuses, and so never reaches the listener
 */
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
    // Node.js keeps a connection a little longer than it says, which is of no use to a client without the hint.
    ...(keepAliveHint ? {} : { keepAliveTimeoutBuffer: 0 }),
    headersTimeout: maxHeadersMs,
    requestTimeout: maxRequestMs,
    connectionsCheckingInterval: Math.ceil(maxHeadersMs / slowSenderTicks),
  };
  let current = listener;
  const own: RequestListener = (request, response) => current(request, response);
  // Loaded for those who have callers in browsers: servers that are measured hold nothing of it.
  const open = allowedOrigins.length === 0 ? own : (await import("./http-cors.ts")).shared(own, allowedOrigins);
  const said = !keepAlive ? saying("close", open) : keepAliveHint ? open : saying("keep-alive", open);
  const accepting = oneAtATime(acceptable(said, writeBody));
  const server =
    tls === undefined
      ? createServer(settings, accepting)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: maxHeadersMs }, accepting);
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
