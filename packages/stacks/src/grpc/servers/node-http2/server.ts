// Serves a contract over gRPC on node:http2.
import { CallError } from "@roundtrip/contract";
import { isGrpc, lateRequest, ofCaller, type ServedMethod } from "@roundtrip/styles/grpc/server";
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { Serve, ServeOptions } from "../../../basics/stack.ts";
import { Http2Sessions } from "../../../shared/http2/http2-sessions.ts";
import { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";
import { sendPings } from "../../../shared/http2/pings.ts";
import { listen } from "../../../shared/listening.ts";
import { settingsWith } from "../../../shared/settings.ts";
import { refusal, refuse, ServedCall, type RequestLimits } from "./served-call.ts";
import { ServedMethods } from "./served-methods.ts";

function begin(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  method: ServedMethod | undefined,
  limits: RequestLimits,
): void {
  // Its caller may have reset it meanwhile.
  if (stream.closed) return;
  try {
    if (method === undefined) throw new CallError("UNIMPLEMENTED", `there is no method ${headers[":path"]}`);
    new ServedCall(stream, headers, method, limits).begin();
  } catch (thrown) {
    refuse(stream, refusal(CallError.from(thrown)));
  }
}

/** The answer to a request that is not gRPC's; undefined for calls. */
function otherProtocol(headers: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
  if (headers[":method"] !== "POST") return { ":status": 405, allow: "POST" };
  return isGrpc(headers["content-type"]) ? undefined : { ":status": 415 };
}

function serverOf({ tls }: ServeOptions, maxConcurrentStreams: number): Http2Server {
  // The memory of a connection is limited by its calls at once, and by the answers that wait: see Http2Sessions.
  const options = { settings: { maxConcurrentStreams }, maxSessionMemory: Number.MAX_SAFE_INTEGER };
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

export const serve: Serve = async (service, options) => {
  const { maxMessageBytes, maxRequestMs, shutdownGraceMs } = options;
  const set = settingsWith(http2ServerSettings, options.settings);
  const server = serverOf(options, set.maxConcurrentStreams);
  const stopping = new AbortController();
  const requestStreams = new Set<string>();
  const methodsOf = (next: typeof service): ServedMethods => {
    const served = new ServedMethods(next, { maxRequestMs, stopping: stopping.signal });
    requestStreams.clear();
    for (const path of served.requestStreams) requestStreams.add(path);
    return served;
  };
  let methods = methodsOf(service);
  const limits: RequestLimits = { sender: ofCaller, maxBytes: maxMessageBytes };
  const sessions = new Http2Sessions([server], { ...options, ...set, requestStreams, lateRequest });
  server.on("session", (session) => sendPings(session, set, () => true));
  server.on("stream", (stream, headers) => {
    // The call learns of it by "close".
    stream.on("error", () => undefined);
    const other = otherProtocol(headers);
    const method = methods.get(String(headers[":path"]));
    if (other !== undefined) refuse(stream, other);
    else if (!(method instanceof Promise)) begin(stream, headers, method, limits);
    else void method.then((loaded) => begin(stream, headers, loaded, limits));
  });
  const url = await listen(server, options);
  let closing: Promise<void> | undefined;
  return {
    url,
    // oxlint-disable-next-line require-await -- all in one turn: no call comes between
    async replace(next) {
      methods = methodsOf(next);
    },
    close: () => {
      stopping.abort();
      return (closing ??= closed(server, sessions, shutdownGraceMs));
    },
  };
};
