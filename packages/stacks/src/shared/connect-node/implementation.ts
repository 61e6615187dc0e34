// Implements the methods of a contract for Connect's library, by the service that answers them.
import type { Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  type ContextKey,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  callerCancelled,
  CallError,
  canonicalCodes,
  codeFromGrpc,
  ConnectionCut,
  deadlineExceeded,
  type ErrorDetails,
  inTime,
  type Metadata,
  only,
  onlyAnswer,
  type Operation,
  requestDecoding,
  ServerCall,
  type Service,
} from "@roundtrip/contract";
import { withShortFloats } from "@roundtrip/styles/connect/server";
import { metadataHeaders } from "@roundtrip/styles/server";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import { accepts, leastCompressedBytes } from "../codings.ts";
import { readCompressions } from "./compressions.ts";
import { type CheckMessage, judging } from "./whole-messages.ts";
import { closeSessionAfter, countedBytes, noteUnread } from "../http2/session-watch.ts";
import { wholeBody } from "../node-server/request-body.ts";
import { cutLongHeaders } from "../short-headers.ts";

// Errors of calls as Connect's library takes them. Its codes have the numbers of gRPC.

function detailsOf({ reason, domain, metadata, violations }: ErrorDetails): ConnectError["details"] {
  const hasInfo = reason !== "" || domain !== "" || Object.keys(metadata).length > 0;
  return [
    ...(hasInfo ? [{ desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } }] : []),
    ...(violations.length > 0 ? [{ desc: BadRequestSchema, value: { fieldViolations: [...violations] } }] : []),
  ];
}

function withCode({ code, message, details }: CallError, metadata: Metadata | undefined): ConnectError {
  const number = canonicalCodes[code].grpc as unknown as Code;
  const error = new ConnectError(message, number, metadata === undefined ? [] : [...metadata]);
  error.details = detailsOf(details);
  return error;
}

/** The error for anything that a service throws, with the metadata that the handler sends. @param fit shortens what the protocol cannot carry. */
function connectErrorOf(thrown: unknown, call: ServerCall, fit: (error: CallError) => CallError): ConnectError {
  try {
    return withCode(fit(CallError.from(thrown)), call.metadataToSend());
  } catch (unsendable) {
    return withCode(fit(CallError.from(unsendable)), undefined);
  }
}

export interface ImplementedMethod {
  readonly operation: Operation;
  readonly service: Service;
  /** Maximum time for each message of a request stream, in milliseconds. */
  readonly maxRequestMs: number;
}

/** The call of one request. The binding makes it, and finds it again after the library has answered. */
export interface IncomingCall {
  readonly metadata: Metadata;
  /** What identifies its connection; undefined when that is closed. */
  readonly connection: object | undefined;
  /** Shortens an error to what the protocol carries. */
  fit(error: CallError): CallError;
  /** Closes the connection in place of an answer. Resolves when it is closed. */
  cut(cut: ConnectionCut): Promise<void>;
}

const callKey: ContextKey<IncomingCall | undefined> = createContextKey<IncomingCall | undefined>(undefined);

/** The service's side of a call, and the library's. */
interface Begun {
  readonly call: IncomingCall;
  readonly serverCall: ServerCall;
  readonly context: HandlerContext;
}

function begin(context: HandlerContext): Begun {
  const call = context.values.get(callKey);
  if (call === undefined) throw new Error("a call without its binding");
  return { call, context, serverCall: new ServerCall(context.timeoutMs(), call.metadata, call.connection) };
}

function isExpired({ signal }: HandlerContext): boolean {
  return signal.reason instanceof ConnectError && signal.reason.code === Code.DeadlineExceeded;
}

/** Cancels the call if its caller disconnects. Only for calls that do not answer at once. */
function watchCaller({ serverCall, context }: Begun): void {
  const leave = (): void => {
    // The library aborts at the deadline too.
    if (isExpired(context)) serverCall.expire();
    else serverCall.cancel();
  };
  if (context.signal.aborted) leave();
  else context.signal.addEventListener("abort", leave, { once: true });
}

function sendMetadata({ serverCall, context }: Begun): void {
  const metadata = serverCall.metadataToSend();
  if (metadata === undefined) return;
  for (const [name, value] of Object.entries(metadataHeaders(metadata)))
    context.responseHeader.set(name, String(value));
}

/** Throws the error of a call as the library expects it. */
async function fail({ call, serverCall }: Begun, thrown: unknown): Promise<never> {
  serverCall.finish();
  if (thrown instanceof ConnectionCut) {
    await call.cut(thrown);
    throw new ConnectError("the connection was cut", Code.Aborted);
  }
  throw connectErrorOf(thrown, serverCall, (error) => call.fit(error));
}

/** The error of a request stream that cannot be read on. */
function requestError(thrown: unknown, context: HandlerContext): CallError {
  if (isExpired(context)) return deadlineExceeded();
  if (context.signal.aborted || !(thrown instanceof ConnectError)) return callerCancelled();
  // The library's INTERNAL for a message that it cannot parse is here for faults of the server.
  const code = thrown.code === Code.Internal ? "INVALID_ARGUMENT" : codeFromGrpc(thrown.code);
  return new CallError(code, thrown.rawMessage, {}, { cause: thrown });
}

/** Reads requests on demand. Throws a CallError for a malformed one, and if the call ends early. */
async function* requestsOf(
  requests: AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message, void, undefined> {
  try {
    for await (const request of requests) yield request;
  } catch (thrown) {
    throw requestError(thrown, context);
  }
  // Node.js ends the body of a request whose caller has disconnected.
  if (context.signal.aborted) throw requestError(undefined, context);
}

/** An answer as the library takes it. */
function libraryAnswer(answer: Message, { output }: Operation, { requestHeader, url }: HandlerContext): Message {
  const type = requestHeader.get("content-type");
  const isJson = type === null ? /[?&]encoding=json(?:&|$)/.test(url) : type.includes("json");
  return isJson ? withShortFloats(output, answer) : answer;
}

function unary({ service, operation }: ImplementedMethod) {
  return async (request: Message, context: HandlerContext): Promise<Message> => {
    const begun = begin(context);
    try {
      const answer = service.call(operation, request, begun.serverCall);
      if (answer instanceof Promise) watchCaller(begun);
      const message = answer instanceof Promise ? await answer : answer;
      sendMetadata(begun);
      begun.serverCall.finish();
      return libraryAnswer(message, operation, context);
    } catch (thrown) {
      return fail(begun, thrown);
    }
  };
}

function clientStreaming({ service, operation, maxRequestMs }: ImplementedMethod) {
  return async (requests: AsyncIterable<Message>, context: HandlerContext): Promise<Message> => {
    const begun = begin(context);
    watchCaller(begun);
    const inLimit = inTime(requestsOf(requests, context), maxRequestMs);
    try {
      const message = await onlyAnswer(operation, service.stream(operation, inLimit, begun.serverCall));
      sendMetadata(begun);
      begun.serverCall.finish();
      return libraryAnswer(message, operation, context);
    } catch (thrown) {
      return fail(begun, thrown);
    }
  };
}

async function* answers(
  { service, operation }: ImplementedMethod,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message, void, undefined> {
  const begun = begin(context);
  watchCaller(begun);
  let isFirst = true;
  try {
    for await (const answer of service.stream(operation, requests, begun.serverCall)) {
      if (isFirst) sendMetadata(begun);
      isFirst = false;
      yield libraryAnswer(answer, operation, context);
    }
    if (isFirst) sendMetadata(begun);
  } catch (thrown) {
    // Metadata sent with the first answer is not repeated.
    if (!isFirst) begun.serverCall.answerMetadata.clear();
    await fail(begun, thrown);
  } finally {
    begun.serverCall.finish();
  }
}

/** The implementation of a method for the library's router, by what it streams. */
function implementationOf(method: ImplementedMethod): unknown {
  switch (method.operation.kind) {
    case "unary":
      return unary(method);
    case "server_streaming":
      return (request: Message, context: HandlerContext) => answers(method, only(request), context);
    case "client_streaming":
      return clientStreaming(method);
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: HandlerContext) =>
        answers(method, requestsOf(requests, context), context);
  }
}

/** Above every message. */
const neverBytes = 0xff_ff_ff_ff;

/** How the handlers of methods decode requests. */
interface HandlerOptions extends Pick<ConnectRouterOptions, "connect" | "grpc" | "grpcWeb"> {
  readonly maxMessageBytes: number;
  /** The compression of answers, or `identity`. */
  readonly coding: string;
  /** The judgement of messages that were compressed. */
  readonly checkOf: (operation: Operation) => CheckMessage;
}

export function checkBinary(operation: Operation): CheckMessage {
  return (message) => requestDecoding(operation).check(message);
}

/** The library's handlers of methods, in their order. */
export function handlersOf(
  service: Service,
  methods: readonly ImplementedMethod[],
  { maxMessageBytes, coding, checkOf, ...protocols }: HandlerOptions,
): readonly UniversalHandler[] {
  const router = createConnectRouter({
    ...protocols,
    acceptCompression: [...readCompressions],
    compressMinBytes: coding === "identity" ? neverBytes : leastCompressedBytes,
    readMaxBytes: maxMessageBytes,
    jsonOptions: { registry: service.contract.registry },
  });
  for (const method of methods) {
    const { operation } = method;
    router.rpc(operation.method, implementationOf(method) as never, {
      ...protocols,
      acceptCompression: judging(readCompressions, checkOf(operation)),
      binaryOptions: requestDecoding(operation).options,
    });
  }
  return router.handlers;
}

/** The headers that the library repeats in errors. */
const repeatedHeaders = [
  "connect-timeout-ms",
  "grpc-timeout",
  "content-encoding",
  "connect-content-encoding",
  "grpc-encoding",
];

/** The library would compress with the first coding that the caller accepts, and without a list, with that of the request. */
function acceptOnly(coding: string, headers: Headers): void {
  for (const name of ["accept-encoding", "connect-accept-encoding", "grpc-accept-encoding"]) {
    headers.set(name, accepts(coding, headers.get(name)) ? coding : "identity");
  }
}

/** A request as the library takes it, without its body. @param coding the compression of answers, or `identity` */
export function receivedRequest(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  call: IncomingCall,
  coding: string,
): UniversalServerRequest {
  cutLongHeaders(request.headers, repeatedHeaders);
  const contextValues = createContextValues().set(callKey, call);
  const received = universalRequestFromNodeRequest(request, response, undefined, contextValues);
  if (coding !== "identity") acceptOnly(coding, received.header);
  return received;
}

/**
 * The same answer. Where it is one large message, its body is read to the end before it is written: otherwise the library keeps the decoded message, which
 * may take a hundred times as much, as long as a caller does not read.
 */
export function withoutMessage(
  answer: UniversalServerResponse,
  { kind }: Pick<Operation, "kind">,
): UniversalServerResponse {
  const { body } = answer;
  if (body === undefined || kind === "server_streaming" || kind === "bidi_streaming") return answer;
  const pieces = body[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<Uint8Array>> | undefined;
  const iterator: AsyncIterator<Uint8Array> = {
    return: (value) => pieces.return?.(value) ?? Promise.resolve({ done: true, value }),
    async next() {
      if (ahead !== undefined) {
        const next = ahead;
        ahead = undefined;
        return next;
      }
      const piece = await pieces.next();
      if (piece.done !== true && piece.value.length >= countedBytes) {
        ahead = pieces.next();
        // It is reported to who reads on.
        ahead.catch(() => {});
      }
      return piece;
    },
  };
  return { ...answer, body: { [Symbol.asyncIterator]: () => iterator } };
}

/** The pieces of a body. The rest is discarded after the answer: the stream would stay open with it until the connection closes. */
export function piecesUntilAnswer(request: Http2ServerRequest): AsyncIterable<Uint8Array> {
  const pieces = wholeBody(request)[Symbol.asyncIterator]();
  request.stream.once("finish", () => void pieces.return?.());
  return { [Symbol.asyncIterator]: () => pieces };
}

const nothing = new Uint8Array();

/** Closes the connection of a stream, after this part of a message if given. Earlier messages are sent first. */
export function cutStream(stream: ServerHttp2Stream, part: Uint8Array | undefined): void {
  closeSessionAfter(stream, part ?? (stream.writableLength > 0 ? nothing : undefined));
}

// Responses of Node.js's HTTP/2 compatibility layer whose unread bytes are limited.

type Written = (error?: Error | null) => void;

export class CountedResponse extends Http2ServerResponse {
  /** Connect's library writes each message with an encoding and a listener. */
  override write(chunk: string | Uint8Array, encoding?: unknown, onWritten?: unknown): boolean {
    const written = onWritten as Written;
    const { stream } = this;
    if (chunk.length < countedBytes) return super.write(chunk, encoding as BufferEncoding, written);
    noteUnread(stream, chunk.length);
    return super.write(chunk, encoding as BufferEncoding, (error?: Error | null) => {
      noteUnread(stream, 0);
      written(error);
    });
  }
}
