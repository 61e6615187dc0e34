// Serves a contract over gRPC on node:http2.
import { CallError, type Metadata, ServerCall, streamsRequests } from "@roundtrip/contract";
import {
  answerBidiStream,
  answerClientStream,
  answerHeaders,
  answerServerStream,
  type AnswerStream,
  answerUnary,
  checkEncoding,
  errorTrailers,
  type Failure,
  framed,
  MessageReader,
  metadataHeaders,
  ofCaller,
  okTrailers,
  packed,
  type RequestStream,
  type ServedMethod,
  type SingleAnswer,
  statusOf,
  timeoutMsIn,
} from "@roundtrip/styles/grpc/server";
import { metadataIn } from "@roundtrip/styles/server";
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { answerHeadersOnly, grpcBy, refusal, refusalHeaders, withoutBody } from "../serve-grpc.ts";
import { closeSessionAfter, countedBytes, noteUnread, noteUnreadUntil } from "../../shared/http2/session-watch.ts";
import { endReceived } from "../../shared/http2/received-requests.ts";
import { PulledMessages } from "../node-http2/pulled-messages.ts";
import { accepts, leastCompressedBytes } from "../../shared/codings.ts";
import { PacedWriter } from "../streams.ts";

// One call on a stream of node:http2, for the interfaces of the gRPC style.

interface RequestLimits {
  readonly sender: typeof ofCaller;
  readonly maxBytes: number;
}

interface CallOptions {
  readonly limits: RequestLimits;
  /** The compression of answers to callers that accept it, or `identity`. */
  readonly coding: string;
}

const callOf = Symbol("the call on a stream");
type ServedStream = ServerHttp2Stream & { [callOf]: ServedCall };

const withTrailers = { waitForTrailers: true } as const;

// Listeners are shared by all calls, and find theirs at the stream: closures would be made for each call.
function onData(this: ServedStream, chunk: Buffer): void {
  this[callOf].receive(chunk);
}
function onEnd(this: ServedStream): void {
  this[callOf].receivedAll();
}
function onClose(this: ServedStream): void {
  this[callOf].closed();
}
function onWantTrailers(this: ServedStream): void {
  this.sendTrailers(this[callOf].trailers);
}

function notOneRequest(): CallError {
  return new CallError("UNIMPLEMENTED", "the method takes one request");
}

/** When the call's time is over, by `performance.now()`. Throws INVALID_ARGUMENT for a malformed deadline. */
function deadlineIn({ "grpc-timeout": text }: IncomingHttpHeaders): number {
  if (text === undefined) return Infinity;
  const timeoutMs = timeoutMsIn(String(text));
  if (timeoutMs !== undefined) return performance.now() + timeoutMs;
  throw new CallError("INVALID_ARGUMENT", `grpc-timeout must be at most 8 digits and a unit, got ${String(text)}`);
}

class ServedCall implements SingleAnswer, AnswerStream, RequestStream {
  /** Sent when the answer's body is out. */
  trailers = okTrailers;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #method: ServedMethod;
  readonly #reader: MessageReader;
  readonly #deadlineAt: number;
  readonly #coding: string;
  readonly #answerHeaders: OutgoingHttpHeaders;
  /** Undefined for calls with one request. */
  readonly #requests: PulledMessages | undefined;
  /** A promise for one that is decompressed in a turn of its own. */
  #request: Uint8Array | Promise<Uint8Array> | undefined;
  #serverCall: ServerCall | undefined;
  #writer: PacedWriter | undefined;
  #isAnswered = false;

  /** Throws a CallError for a malformed deadline or an unknown encoding. */
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    method: ServedMethod,
    { limits, coding }: CallOptions,
  ) {
    const isAccepted = coding !== "identity" && accepts(coding, headers["grpc-accept-encoding"]);
    this.#coding = isAccepted ? coding : "identity";
    this.#answerHeaders = isAccepted ? { ...answerHeaders, "grpc-encoding": coding } : answerHeaders;
    this.#stream = stream;
    this.#headers = headers;
    this.#method = method;
    this.#deadlineAt = deadlineIn(headers);
    this.#reader = new MessageReader(limits);
    const encoding = headers["grpc-encoding"] as string | undefined;
    checkEncoding(encoding, limits.sender);
    this.#reader.encoding = encoding;
    this.#requests = streamsRequests(method.operation) ? new PulledMessages(this.#reader) : undefined;
  }

  /** A call with one request is answered when it is here; others at once. */
  begin(): void {
    const stream = this.#stream as ServedStream;
    stream[callOf] = this;
    stream.on("data", onData).on("end", onEnd).on("close", onClose);
    if (this.#requests === undefined) return;
    this.#requests.readFrom(stream);
    if (this.#method.operation.kind === "client_streaming") answerClientStream(this.#method, this, this);
    else answerBidiStream(this.#method, this, this);
  }

  /** Made when it is needed: its timer would outlive a call whose request does not come. Converts metadata when a handler reads it. */
  get serverCall(): ServerCall {
    return (this.#serverCall ??= new ServerCall(
      this.#deadlineAt === Infinity ? undefined : this.#deadlineAt - performance.now(),
      metadataIn(this.#headers),
      this.#stream.session,
    ));
  }

  receive(chunk: Buffer): void {
    if (this.#isAnswered) return;
    if (this.#requests !== undefined) this.#requests.add(chunk);
    else if (this.#request !== undefined) this.#refuse(notOneRequest());
    else {
      try {
        this.#reader.add(chunk);
        this.#request = this.#reader.nextInTurn();
      } catch (thrown) {
        this.#refuse(CallError.from(thrown));
      }
    }
  }

  receivedAll(): void {
    // A stream that is reset ends, too.
    if (this.#stream.closed || this.#isAnswered) this.closed();
    else if (this.#requests !== undefined) this.#requests.end();
    else if (this.#request === undefined || this.#reader.isCutShort) this.#refuse(notOneRequest());
    else if (this.#request instanceof Promise) {
      this.#request.then(
        (request) => this.#answer(request),
        (thrown: unknown) => this.#refuse(CallError.from(thrown)),
      );
    } else this.#answer(this.#request);
  }

  #answer(request: Uint8Array): void {
    endReceived(this.#stream);
    if (this.#stream.closed || this.#isAnswered) this.closed();
    else if (this.#method.operation.kind === "unary") answerUnary(this.#method, request, this);
    else answerServerStream(this.#method, request, this);
  }

  closed(): void {
    this.#requests?.end(new Error("the stream is closed"));
    // No effect once the call is answered.
    this.#serverCall?.cancel();
  }

  watchCaller(): void {
    // Every call is watched: see `closed`.
  }

  sendMetadata(metadata: Metadata): void {
    this.#respond({ ...this.#answerHeaders, ...metadataHeaders(metadata) });
  }

  answer(message: Uint8Array): void {
    const stream = this.#stream;
    if (message.length >= countedBytes) noteUnread(stream, message.length);
    if (!stream.headersSent) this.#respond(this.#answerHeaders);
    if (!stream.closed) stream.end(this.#framed(message));
    this.#answered();
  }

  write(message: Uint8Array): Promise<void> | undefined {
    const stream = this.#stream;
    if (!stream.headersSent) this.#respond(this.#answerHeaders);
    this.#writer ??= new PacedWriter(stream, this.serverCall.signal);
    const taken = this.#writer.write(this.#framed(message));
    return taken && noteUnreadUntil(taken, stream, message.length);
  }

  async whenOut(): Promise<void> {
    await this.#writer?.whenOut();
  }

  end(): void {
    this.#endWith(okTrailers);
  }

  fail({ status, metadata }: Failure): void {
    this.#endWith(errorTrailers(status, metadata));
  }

  cut(part: Uint8Array | undefined): void {
    if (part !== undefined && !this.#stream.headersSent) this.#respond(answerHeaders);
    closeSessionAfter(this.#stream, part);
  }

  read(): AsyncIterable<Uint8Array> {
    return this.#requests?.read() ?? (async function* () {})();
  }

  isCutShort(): boolean {
    return this.#reader.isCutShort;
  }

  isExpired(): boolean {
    return performance.now() >= this.#deadlineAt;
  }

  #framed(message: Uint8Array): Buffer {
    return message.length < leastCompressedBytes ? framed(message) : packed(message, this.#coding);
  }

  #respond(headers: OutgoingHttpHeaders): void {
    if (this.#stream.closed) return;
    this.#stream.on("wantTrailers", onWantTrailers);
    this.#stream.respond(headers, withTrailers);
  }

  #refuse(error: CallError): void {
    this.fail({ status: statusOf(error), metadata: undefined });
  }

  #endWith(trailers: OutgoingHttpHeaders): void {
    const stream = this.#stream;
    if (!stream.closed) {
      if (stream.headersSent) {
        this.trailers = trailers;
        stream.end();
      } else stream.respond({ ...refusalHeaders, ...trailers }, withoutBody);
    }
    this.#answered();
  }

  /** What still comes of the request is received and discarded. */
  #answered(): void {
    this.#isAnswered = true;
    if (!this.#stream.readableEnded) this.#stream.resume();
  }
}

export const serve = grpcBy({
  attach(server, receive, { maxMessageBytes, coding }) {
    const options: CallOptions = { limits: { sender: ofCaller, maxBytes: maxMessageBytes }, coding };
    server.on("stream", (stream, headers) => {
      receive(stream, headers, (method) => {
        try {
          new ServedCall(stream, headers, method, options).begin();
        } catch (thrown) {
          answerHeadersOnly(stream, refusal(CallError.from(thrown)));
        }
      });
    });
  },
});
