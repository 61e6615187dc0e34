// The interfaces that a server binding implements to answer gRPC calls.
import { toBinary } from "@bufbuild/protobuf";
import { ConnectionCut, type Metadata, type Operation, type ServerCall, type Service } from "@roundtrip/contract";
import { firstHalfOf } from "../../shared/first-half.ts";
import { failureOf, type Failure } from "../errors.ts";
import { framed } from "../wire-form.ts";

export interface ServedMethod {
  /** See {@link pathOf}; a method may have several paths. */
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
