// Listening and shutdown of servers over HTTP/2 on node:http2.
import { createSecureServer, createServer, type Http2Server, type ServerOptions } from "node:http2";
import type { RunningServer, ServeOptions } from "../../basics/stack.ts";
import { listen } from "../listening.ts";
import type { SettingsOf } from "../settings.ts";
import type { WatchLimits } from "./session-watch.ts";
import { Http2Sessions } from "./http2-sessions.ts";
import type { http2ServerSettings } from "./http2-settings.ts";
import { sendPings } from "./pings.ts";

export interface Http2Serving extends Pick<WatchLimits, "requestStreams" | "lateRequest"> {
  readonly set: SettingsOf<typeof http2ServerSettings>;
  /** Answers requests: adds listeners to the server before it listens. */
  readonly attach: (server: Http2Server) => void;
  /** Replaces the class of responses, for servers that use Node.js's compatibility layer. */
  readonly responseClass?: ServerOptions["Http2ServerResponse"];
}

function serverOf({ tls }: ServeOptions, { set, responseClass }: Http2Serving): Http2Server {
  const options: ServerOptions = {
    settings: { maxConcurrentStreams: set.maxConcurrentStreams },
    // The memory of a connection is limited by its calls at once, and by the answers that wait: see Http2Sessions.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    ...(responseClass === undefined ? {} : { Http2ServerResponse: responseClass }),
  };
  return tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
}

function closed(server: Http2Server, sessions: Http2Sessions, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      sessions.destroy();
      // Remaining connections do not speak HTTP/2 yet; do not wait for them.
      resolve();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    sessions.close();
  });
}

/** Serves HTTP/2, over TLS with `tls`. Rejects with a StackError when it cannot listen. */
export async function serveHttp2(options: ServeOptions, serving: Http2Serving): Promise<RunningServer> {
  const { set, attach, requestStreams, lateRequest } = serving;
  const server = serverOf(options, serving);
  const sessions = new Http2Sessions([server], { ...options, ...set, requestStreams, lateRequest });
  server.on("session", (session) => sendPings(session, set, () => true));
  attach(server);
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return { url, close: () => (closing ??= closed(server, sessions, options.shutdownGraceMs)) };
}
