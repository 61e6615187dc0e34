// One call on a stream of node:http2: its deadline, its answer's headers, and its end. What it sends and receives is its kind's.
import {
  callerCancelled,
  CallError,
  type CallOptions,
  checkMetadata,
  deadlineExceeded,
  endlessMs,
  type Operation,
  ownMetadata,
} from "@roundtrip/contract";
import { serverUnavailable, streamReset } from "@roundtrip/styles/client";
import {
  acceptedEncodings,
  errorInTrailers,
  isGrpc,
  MessageReader,
  metadataHeaders,
  ofServer,
  receivedMetadata,
  requestHeaders,
  statusMissing,
  timeoutText,
} from "@roundtrip/styles/grpc/client";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Http2Connection, Http2Connections } from "../../shared/http2/http2-connections.ts";

export interface CalledMethod {
  readonly operation: Operation;
  readonly connections: Http2Connections;
  /** The `grpc-encoding` of requests. */
  readonly compression: string;
  /** Of a call without options. */
  readonly headers: OutgoingHttpHeaders;
  readonly limits: { readonly sender: typeof ofServer; readonly maxBytes: number };
}

/** gRPC asks clients to name themselves. */
const userAgent = `grpc-node-http2/${process.versions.node}`;

/** @param maxBytes larger answers fail. */
export function calledMethod(
  operation: Operation,
  { connections, compression }: Pick<CalledMethod, "connections" | "compression">,
  maxBytes: number,
): CalledMethod {
  const headers = {
    ...requestHeaders(operation),
    ":authority": connections.url.host,
    "user-agent": userAgent,
    "grpc-accept-encoding": acceptedEncodings,
    ...(compression === "identity" ? {} : { "grpc-encoding": compression }),
  };
  return { operation, connections, compression, headers, limits: { sender: ofServer, maxBytes } };
}

function hasDeadline(timeoutMs: number | undefined): timeoutMs is number {
  return timeoutMs !== undefined && timeoutMs < endlessMs;
}

/** Throws a CallError for metadata that some style cannot carry. */
function headersFor({ headers }: CalledMethod, { metadata, timeoutMs }: CallOptions): OutgoingHttpHeaders {
  if (metadata === undefined && !hasDeadline(timeoutMs)) return headers;
  const all = { ...headers };
  if (metadata !== undefined) {
    checkMetadata(metadata);
    Object.assign(all, metadataHeaders(metadata));
  }
  if (hasDeadline(timeoutMs)) all["grpc-timeout"] = timeoutText(timeoutMs);
  return all;
}

const callOf = Symbol("the call on a stream");
type AnswerHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader;
type CalledStream = ClientHttp2Stream & { [callOf]: OutgoingCall };

// Listeners are shared by all calls, and find theirs at the stream: closures would be made for each call.
function onResponse(this: CalledStream, headers: AnswerHeaders, flags: number): void {
  this[callOf].answered(headers, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0);
}
function onData(this: CalledStream, chunk: Buffer): void {
  this[callOf].received(chunk);
}
function onTrailers(this: CalledStream, trailers: IncomingHttpHeaders): void {
  this[callOf].ended(trailers);
}
function onEnd(this: CalledStream): void {
  this[callOf].receivedAll();
}
function onError(this: CalledStream, error: Error): void {
  this[callOf].failed(error);
}
function onClose(this: CalledStream): void {
  this[callOf].closed();
}
function expire(call: OutgoingCall): void {
  call.stop(deadlineExceeded());
}

/** Attempts of a call whose stream was refused: the server has not begun with it. */
const mostAttempts = 4;

export abstract class OutgoingCall {
  protected readonly method: CalledMethod;
  protected readonly reader: MessageReader;
  readonly #options: CallOptions;
  readonly #headers: OutgoingHttpHeaders;
  readonly #connection: Http2Connection;
  #session: ClientHttp2Session | undefined;
  #stream: ClientHttp2Stream | undefined;
  #httpStatus: number | undefined;
  #lost: Error | undefined;
  #hasEnded = false;
  #error: CallError | undefined;
  #isOver = false;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  /** On the clock of `performance`. */
  #deadlineMs = Number.POSITIVE_INFINITY;

  /** Throws a CallError for invalid metadata, or once the client is closed. Call {@link start} afterwards. */
  constructor(method: CalledMethod, options: CallOptions) {
    this.method = method;
    this.reader = new MessageReader(method.limits);
    this.#options = options;
    this.#headers = headersFor(method, options);
    this.#connection = method.connections.begin();
  }

  /** Whether the call can be sent again on another stream. */
  protected abstract readonly isRepeatable: boolean;
  protected abstract send(stream: ClientHttp2Stream): void;
  /** Takes a part of the answers. Throws a CallError for what is no answer. */
  protected abstract receive(chunk: Buffer): void;
  /** Nothing follows. @param error undefined for the status OK. */
  protected abstract finish(error: CallError | undefined): void;

  start(): void {
    const { signal, timeoutMs } = this.#options;
    signal?.addEventListener("abort", this);
    if (!hasDeadline(timeoutMs)) this.#attempt();
    else if (timeoutMs <= 0) this.stop(deadlineExceeded());
    else {
      this.#deadlineMs = performance.now() + timeoutMs;
      this.#timer = setTimeout(expire, timeoutMs, this);
      this.#attempt();
    }
  }

  /** The caller's signal has been aborted. */
  handleEvent(): void {
    this.stop(callerCancelled());
  }

  /** Ends the call on both sides, unless it is over. @param error undefined for the status OK. */
  stop(error: CallError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this);
    const stream = this.#stream;
    if (stream !== undefined && !stream.closed) {
      if (!this.#hasEnded) stream.close(constants.NGHTTP2_CANCEL);
      else if (!stream.writableEnded) stream.end();
      // A stream is closed when its body has been received.
      stream.resume();
    }
    this.method.connections.end(this.#connection);
    this.finish(error);
  }

  answered(headers: AnswerHeaders, isEnd: boolean): void {
    if (this.#isOver) return;
    this.#httpStatus = headers[":status"];
    if (!isEnd && (this.#httpStatus !== 200 || !isGrpc(headers["content-type"]))) {
      this.stop(statusMissing(this.#httpStatus));
      return;
    }
    this.reader.encoding = headers["grpc-encoding"] as string | undefined;
    this.#options.onMetadata?.(ownMetadata(Object.entries(receivedMetadata(headers))));
    if (isEnd) this.ended(headers);
  }

  received(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.receive(chunk);
    } catch (thrown) {
      this.stop(CallError.from(thrown));
    }
  }

  ended(trailers: IncomingHttpHeaders): void {
    this.#hasEnded = true;
    this.#error = errorInTrailers(trailers, this.#httpStatus);
    // Trailers are reported before a body that its reader lets wait.
    if (this.#stream?.readableLength === 0) this.receivedAll();
  }

  receivedAll(): void {
    if (this.#hasEnded) this.stop(this.#error);
  }

  failed(error: Error): void {
    this.#lost = error;
  }

  closed(): void {
    if (this.#isOver) return;
    const code = this.#stream?.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (this.#hasEnded) this.stop(this.#error);
    else if (code === constants.NGHTTP2_REFUSED_STREAM && this.isRepeatable && this.#attempts < mostAttempts) {
      this.#attempt();
    } else this.stop(this.#failure(code));
  }

  #attempt(): void {
    const session = this.#connection.session();
    if (!(session instanceof Promise)) this.#sendOn(session);
    else {
      session.then(
        (opened) => this.#sendOn(opened),
        (error: unknown) => this.stop(serverUnavailable(this.#origin, error as Error)),
      );
    }
  }

  #sendOn(session: ClientHttp2Session): void {
    if (this.#isOver) return;
    this.#attempts += 1;
    if (session.closed) {
      // Its server closed it as soon as it was open.
      if (this.#attempts < mostAttempts) this.#attempt();
      else this.stop(serverUnavailable(this.#origin, undefined));
      return;
    }
    this.#session = session;
    const stream = session.request(this.#headers) as CalledStream;
    this.#stream = stream;
    stream[callOf] = this;
    stream.on("response", onResponse).on("data", onData).on("trailers", onTrailers);
    stream.on("end", onEnd).on("error", onError).on("close", onClose);
    this.send(stream);
  }

  get #origin(): string {
    return this.method.connections.url.origin;
  }

  /** The error of a stream that is closed without a status. */
  #failure(code: number): CallError {
    if (this.#session?.destroyed === true) return serverUnavailable(this.#origin, this.#lost);
    // A server may reset a call when its deadline passes, and be faster than the timer here. grpc-go does.
    if (code === constants.NGHTTP2_CANCEL && performance.now() >= this.#deadlineMs) return deadlineExceeded();
    return code === constants.NGHTTP2_NO_ERROR ? statusMissing(this.#httpStatus) : streamReset(code);
  }
}
