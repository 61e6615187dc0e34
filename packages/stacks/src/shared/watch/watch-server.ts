// Watches the requests of a server, whatever library answers them: reports those that were answered without a call of the service. It is at the server
// of Node.js, below every library, so that no library needs to report anything.
import type { Service } from "@roundtrip/contract";
import type { UnreachedRequest } from "@roundtrip/styles";
import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { RequestWatch } from "../../basics/stack.ts";
import { Excerpt } from "./excerpt.ts";

export interface WatchListener {
  /** Called for each request that is answered without a call of the service. */
  readonly onUnreached: (request: UnreachedRequest) => void;
  /** Called for each connection with bytes that are no request. @param fault for people */
  readonly onUnreadable: (fault: string) => void;
}

type OnUnreached = WatchListener["onUnreached"];

/** What a client of HTTP/2 sends first (RFC 9113, section 3.4). */
const http2Preface = "PRI * HTTP/2.0";

/** Why Node.js cannot read a connection; undefined if it has only ended. */
function unreadableIn(event: string | symbol, [error]: readonly unknown[]): string | undefined {
  if (event !== "clientError" && event !== "sessionError") return undefined;
  const { code = "", message, rawPacket } = error as Error & { readonly code?: string; readonly rawPacket?: Buffer };
  if (event === "clientError" && code.startsWith("HPE_")) {
    const isHttp2 = rawPacket?.toString("latin1", 0, http2Preface.length) === http2Preface;
    return isHttp2
      ? "the connection speaks HTTP/2, as gRPC does, and this server HTTP/1.1"
      : "the connection does not speak HTTP/1.1, or speaks TLS to a server without it";
  }
  const isOtherProtocol = event === "sessionError" && message.includes("bad client magic");
  return isOtherProtocol ? "the connection does not speak HTTP/2, as gRPC does" : undefined;
}

/** A request until its answer. */
class WatchedRequest {
  readonly body: Excerpt;
  readonly answer = new Excerpt(undefined);
  readonly #head: Pick<UnreachedRequest, "method" | "target" | "headers">;
  readonly #onUnreached: OnUnreached;
  #isOver = false;

  constructor(head: Pick<UnreachedRequest, "method" | "target" | "headers">, onUnreached: OnUnreached) {
    this.#head = head;
    this.#onUnreached = onUnreached;
    this.body = new Excerpt(head.headers["content-encoding"]);
  }

  /** The service was called: its own log has the call. */
  reach(): void {
    this.#isOver = true;
  }

  /** The answer is about to be sent. */
  answered(status: number, answerHeaders: UnreachedRequest["answerHeaders"]): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { body, answer } = this;
    const request = { ...this.#head, body: body.text, status, answerHeaders, answer: answer.text };
    try {
      this.#onUnreached(request);
    } catch (thrown) {
      // The answer is sent all the same.
      process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
    }
  }
}

const current = new AsyncLocalStorage<WatchedRequest>();

/** The same service, which marks the requests that reach it. */
function marking(service: Service): Service {
  return {
    contract: service.contract,
    guard: (other) => service.guard(other),
    call(operation, request, call) {
      current.getStore()?.reach();
      return service.call(operation, request, call);
    },
    stream(operation, requests, call) {
      current.getStore()?.reach();
      return service.stream(operation, requests, call);
    },
  };
}

type Emit = EventEmitter["emit"];

/** Runs the listeners of a request in its context: Node.js runs those of bodies in that of the connection. */
function keepContext(emitter: EventEmitter, watched: WatchedRequest): void {
  const emit: Emit = emitter.emit.bind(emitter);
  emitter.emit = (...args) => current.run(watched, () => emit(...args));
}

/** Notes what a readable receives before anybody reads it. */
function noteReceived(readable: { push(chunk: unknown, encoding?: BufferEncoding): boolean }, body: Excerpt): void {
  const push = readable.push.bind(readable);
  readable.push = (chunk, encoding) => {
    body.add(chunk);
    return push(chunk, encoding);
  };
}

function textsOf(headers: OutgoingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function watchHttp1(request: IncomingMessage, response: ServerResponse, onUnreached: OnUnreached): WatchedRequest {
  const { method = "", url = "", headers } = request;
  const watched = new WatchedRequest({ method, target: url, headers }, onUnreached);
  // Most requests have no body, and its listeners are the only ones that call the service.
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
    noteReceived(request, watched.body);
    keepContext(request, watched);
  }
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  response.write = ((...args: unknown[]) => {
    watched.answer.add(args[0]);
    return write(...args);
  }) as ServerResponse["write"];
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    watched.answer.add(args[0]);
    watched.answered(response.statusCode, {});
    return end(...args);
  }) as ServerResponse["end"];
  return watched;
}

function watchHttp2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, onUnreached: OnUnreached): WatchedRequest {
  const head = { method: headers[":method"] ?? "", target: headers[":path"] ?? "", headers };
  const watched = new WatchedRequest(head, onUnreached);
  noteReceived(stream, watched.body);
  keepContext(stream, watched);
  let sent: Record<string, string> = {};
  let hasTrailers = false;
  const answered = (more: OutgoingHttpHeaders = {}): void =>
    watched.answered(Number(sent[":status"] ?? 200), { ...sent, ...textsOf(more) });
  const respond = stream.respond.bind(stream);
  stream.respond = (given, options) => {
    sent = textsOf((given as OutgoingHttpHeaders | undefined) ?? {});
    hasTrailers = options?.waitForTrailers === true;
    if (options?.endStream === true) answered();
    respond(given, options);
  };
  const sendTrailers = stream.sendTrailers.bind(stream);
  stream.sendTrailers = (trailers) => {
    answered(trailers);
    sendTrailers(trailers);
  };
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = ((...args: unknown[]) => {
    watched.answer.add(args[0]);
    return write(...args);
  }) as ServerHttp2Stream["write"];
  const end = stream.end.bind(stream) as (...args: unknown[]) => ServerHttp2Stream;
  stream.end = ((...args: unknown[]) => {
    watched.answer.add(args[0]);
    if (stream.headersSent && !hasTrailers) answered();
    return end(...args);
  }) as ServerHttp2Stream["end"];
  return watched;
}

/** The events with which Node.js passes on a request over HTTP/1.1. */
const http1Events: ReadonlySet<string | symbol> = new Set(["request", "checkContinue", "checkExpectation"]);

/** Watches the requests of a server from now on. */
function watchServer(server: EventEmitter, { onUnreached, onUnreadable }: WatchListener): void {
  const emit: Emit = server.emit.bind(server);
  const watchedBy = (event: string | symbol, args: readonly unknown[]): WatchedRequest | undefined => {
    if (event === "stream") {
      return watchHttp2(args[0] as ServerHttp2Stream, args[1] as IncomingHttpHeaders, onUnreached);
    }
    // Over HTTP/2, the compatibility layer of Node.js passes on a stream that is watched.
    if (!http1Events.has(event) || current.getStore() !== undefined) return undefined;
    return watchHttp1(args[0] as IncomingMessage, args[1] as ServerResponse, onUnreached);
  };
  server.emit = (event: string | symbol, ...args: unknown[]) => {
    const fault = unreadableIn(event, args);
    if (fault !== undefined) onUnreadable(fault);
    const watched = watchedBy(event, args);
    return watched === undefined ? emit(event, ...args) : current.run(watched, () => emit(event, ...args));
  };
}

/** Reports each request that a server answers without a call of its service, before the answer is sent, and bytes that are no request. */
export function watchRequests(listener: WatchListener): RequestWatch {
  return { attach: (server) => watchServer(server, listener), marking };
}
