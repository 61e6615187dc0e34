// Answers gRPC calls: the interfaces that a server binding implements, and the calls of each kind.
import { type Message, toBinary } from "@bufbuild/protobuf";
import {
  callerCancelled,
  CallError,
  ConnectionCut,
  type Contract,
  deadlineExceeded,
  inTime,
  largeRequestBytes,
  type Metadata,
  only,
  onlyAnswer,
  type Operation,
  type OperationKind,
  ownTurn,
  requestFromBinary,
  type ServerCall,
  type Service,
  firstHalfOf,
} from "@roundtrip/contract";
import { type Failure, failureOf } from "./errors.ts";
import { framed } from "./wire.ts";
export { detailsTrailer, fittingError, statusOf, type Failure, type GrpcStatus } from "./errors.ts";
export { MessageReader } from "./wire.ts";
export { acceptedEncodings, checkEncoding, ofCaller, packed } from "./wire.ts";
export { metadataHeaders, receivedMetadata } from "../shared/call-headers.ts";
export { errorTrailers, okTrailers } from "./wire.ts";
export { timeoutMsIn } from "../shared/call-headers.ts";
export { answerHeaders, exhaustedRequest, framed, isGrpc, lateRequest, prefixBytes } from "./wire.ts";

// The interfaces that a server binding implements to answer gRPC calls.

export interface ServedMethod {
  /** That of its method; a method may have several paths. */
  readonly path: string;
  readonly operation: Operation;
  readonly service: Service;
  /** Maximum time for each message of a request stream, in milliseconds. */
  readonly maxRequestMs: number;
}

export interface AnsweredCall {
  readonly serverCall: ServerCall;
  /** Cancels {@link serverCall} if its caller disconnects. Only for calls that do not answer at once. */
  watchCaller(): void;
  /** Sends the headers of the answer. The metadata is valid for gRPC: see `ServerCall.metadataToSend`. */
  sendMetadata(metadata: Metadata): void;
  fail(failure: Failure): void;
  /** Closes the connection, after the headers and, if given, this part of a framed message. */
  cut(part: Uint8Array | undefined): void;
}

export interface SingleAnswer extends AnsweredCall {
  /** Sends the serialised message and the status OK. */
  answer(message: Uint8Array): void;
}

export interface AnswerStream extends AnsweredCall {
  /** Resolves when the next message may be written; undefined if it may be at once; rejects when the call has ended. */
  write(message: Uint8Array): Promise<void> | undefined;
  /** Resolves when everything is sent; rejects when the call has ended. */
  whenOut(): Promise<void>;
  /** Sends the status OK. */
  end(): void;
}

export interface RequestStream {
  /** Serialised messages, read on demand. Reading throws when the call has ended. */
  read(): AsyncIterable<Uint8Array>;
  isCutShort(): boolean;
  isExpired(): boolean;
}

/** The part of an answer to send before the connection is closed; undefined for nothing. */
export function cutPart({ output }: Operation, { partOf }: ConnectionCut): Uint8Array | undefined {
  return partOf && firstHalfOf(() => framed(toBinary(output, partOf)));
}

/** Ends a call with what its service threw. */
export function failCall(operation: Operation, call: AnsweredCall, thrown: unknown): void {
  if (thrown instanceof ConnectionCut) call.cut(cutPart(operation, thrown));
  else call.fail(failureOf(thrown, call.serverCall));
}

/** Sends the service's metadata, if any. Throws a CallError for invalid metadata. */
export function sendOwnMetadata(call: AnsweredCall): void {
  const metadata = call.serverCall.metadataToSend();
  if (metadata !== undefined) call.sendMetadata(metadata);
}

/** Reads requests on demand. Throws a CallError: INVALID_ARGUMENT for a malformed one, CANCELLED or DEADLINE_EXCEEDED if the call ends early. */
export async function* requestsOf(
  operation: Operation,
  stream: RequestStream,
): AsyncGenerator<Message, void, undefined> {
  try {
    for await (const bytes of stream.read()) {
      if (bytes.length >= largeRequestBytes) await ownTurn();
      yield requestFromBinary(operation, bytes);
    }
    if (stream.isCutShort()) throw new CallError("INVALID_ARGUMENT", "the last request is cut short");
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown;
    // The stream broke off because the call has ended.
    throw stream.isExpired() ? deadlineExceeded() : callerCancelled();
  }
}

// The server side of calls with one answer, for one request or a request stream.

function succeed({ output }: Operation, call: SingleAnswer, response: Message): void {
  const metadata = call.serverCall.metadataToSend();
  call.serverCall.finish();
  if (metadata !== undefined) call.sendMetadata(metadata);
  call.answer(toBinary(output, response));
}

function fail(operation: Operation, call: SingleAnswer, thrown: unknown): void {
  call.serverCall.finish();
  failCall(operation, call, thrown);
}

function answerRequest(
  { service, operation }: ServedMethod,
  request: Uint8Array,
  { call, isWatched }: { readonly call: SingleAnswer; readonly isWatched: boolean },
): void {
  try {
    const answer = service.call(operation, requestFromBinary(operation, request), call.serverCall);
    // A synchronous answer costs no event loop turn.
    if (!(answer instanceof Promise)) {
      succeed(operation, call, answer);
      return;
    }
    if (!isWatched) call.watchCaller();
    answer
      .then((response) => succeed(operation, call, response))
      .catch((thrown: unknown) => fail(operation, call, thrown));
  } catch (thrown) {
    fail(operation, call, thrown);
  }
}

export function answerUnary(method: ServedMethod, request: Uint8Array, call: SingleAnswer): void {
  if (request.length < largeRequestBytes) {
    answerRequest(method, request, { call, isWatched: false });
    return;
  }
  call.watchCaller();
  // It may end meanwhile.
  const { serverCall } = call;
  const answer = (): void => {
    try {
      serverCall.throwIfEnded();
    } catch (thrown) {
      fail(method.operation, call, thrown);
      return;
    }
    answerRequest(method, request, { call, isWatched: true });
  };
  void ownTurn().then(answer);
}

export function answerClientStream(
  { service, operation, maxRequestMs }: ServedMethod,
  stream: RequestStream,
  call: SingleAnswer,
): void {
  const { serverCall } = call;
  call.watchCaller();
  const requests = inTime(requestsOf(operation, stream), maxRequestMs);
  const answerOnce = (response: Message): void => {
    const bytes = toBinary(operation.output, response);
    sendOwnMetadata(call);
    serverCall.finish();
    call.answer(bytes);
  };
  onlyAnswer(operation, service.stream(operation, requests, serverCall))
    .then(answerOnce)
    .catch((thrown: unknown) => fail(operation, call, thrown));
}

// The server side of calls with a response stream, for one request or a request stream.

/** Writes answers as the caller reads them, then the status. */
async function answerAll(
  operation: Operation,
  call: AnswerStream,
  answersOf: () => AsyncIterable<Message>,
): Promise<void> {
  const { serverCall } = call;
  let isBegun = false;
  try {
    for await (const answer of answersOf()) {
      const bytes = toBinary(operation.output, answer);
      if (!isBegun) sendOwnMetadata(call);
      isBegun = true;
      const taken = call.write(bytes);
      if (taken !== undefined) await taken;
    }
    if (!isBegun) sendOwnMetadata(call);
    serverCall.finish();
    call.end();
  } catch (thrown) {
    // Earlier messages are sent first; if the caller disconnects meanwhile, the connection is closed anyway.
    if (thrown instanceof ConnectionCut) await call.whenOut().catch(() => {});
    serverCall.finish();
    // Metadata sent with the first answer is not repeated.
    if (isBegun) serverCall.answerMetadata.clear();
    failCall(operation, call, thrown);
  }
}

async function* decodedInTurn(operation: Operation, request: Uint8Array): AsyncGenerator<Message> {
  await ownTurn();
  yield requestFromBinary(operation, request);
}

/** The request of a stream of answers. */
function onlyDecoded(operation: Operation, request: Uint8Array): AsyncGenerator<Message> {
  if (request.length >= largeRequestBytes) return decodedInTurn(operation, request);
  return only(requestFromBinary(operation, request));
}

/** Returns at once; answers follow as the caller reads. A failure becomes the call's status. */
export function answerServerStream(
  { service, operation }: ServedMethod,
  request: Uint8Array,
  call: AnswerStream,
): void {
  call.watchCaller();
  void answerAll(operation, call, () => service.stream(operation, onlyDecoded(operation, request), call.serverCall));
}

/** As {@link answerServerStream}, with requests that the service reads on demand. */
export function answerBidiStream(
  { service, operation }: ServedMethod,
  stream: RequestStream,
  call: AnswerStream,
): void {
  call.watchCaller();
  void answerAll(operation, call, () => service.stream(operation, requestsOf(operation, stream), call.serverCall));
}

// Services that gRPC tools expect beside the contract: health checking and server reflection, which are loaded with the first call.

export interface StandardMethod {
  readonly path: string;
  readonly kind: OperationKind;
}

const methods: readonly StandardMethod[] = [
  { path: "/grpc.health.v1.Health/Check", kind: "unary" },
  { path: "/grpc.health.v1.Health/List", kind: "unary" },
  { path: "/grpc.health.v1.Health/Watch", kind: "server_streaming" },
  { path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
  // The same messages under an older name, which many tools still use.
  { path: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
];

/** The standard methods to add to a contract: all but those of services that it has itself. */
export function standardMethods({ operations }: Contract): readonly StandardMethod[] {
  const own = new Set(operations.map(({ method }) => method.parent.typeName));
  return methods.filter(({ path }) => !own.has(path.split("/")[1] ?? ""));
}

/** UNIMPLEMENTED for a path without a method, with the nearest path. */
export async function unknownMethod(service: Service, path: string, paths: readonly string[]): Promise<CallError> {
  const { unknownName } = await import("../shared/unknown-name.ts");
  return unknownName(service, `there is no method ${path}`, path, paths);
}
