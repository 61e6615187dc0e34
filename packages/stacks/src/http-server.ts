// Listening and shutting down, the same for every stack that serves HTTP/1.1: what a request means is the stack's own.
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listen } from "./listening.ts";
import type { RunningServer, ServeOptions } from "./stack.ts";

const limits = {
  // Longer than any think time of a study: who pauses finds the connection open.
  keepAliveTimeout: 75_000,
  // Slow senders are dropped.
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  maxHeaderSize: 64 * 1024,
} as const;

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

/** Serves over HTTP/1.1, or HTTPS when `tls` is given. Rejects with a StackError when it cannot listen. */
export async function serveHttp(listener: RequestListener, options: ServeOptions): Promise<RunningServer> {
  const { tls, shutdownGraceMs } = options;
  const server = tls === undefined ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener);
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return {
    url,
    close: () => (closing ??= closed(server, shutdownGraceMs)),
  };
}
