// What answering a call over gRPC needs of the library that serves it: a server binding implements these interfaces.
import { toBinary } from "@bufbuild/protobuf";
import { ConnectionCut, type Metadata, type Operation, type ServerCall, type Service } from "@roundtrip/contract";
import { firstHalfOf } from "../../shared/first-half.ts";
import { failureOf, type Failure } from "../errors.ts";
import { framed } from "../wire-form.ts";

/** A method that a server answers by asking a service. */
export interface ServedMethod {
  /** See {@link pathOf}; the same method may be served under another path as well. */
  readonly path: string;
  readonly operation: Operation;
  readonly service: Service;
  /** How long each request of a stream of them may take to come. */
  readonly maxRequestMs: number;
}

/** A call that has come in. */
export interface AnsweredCall {
  readonly serverCall: ServerCall;
  /** Cancels {@link serverCall} when its caller goes away. To be asked only of calls that take their time. */
  watchCaller(): void;
  /** Sends the headers of the answer. The metadata fits gRPC: see `ServerCall.metadataToSend`. */
  sendMetadata(metadata: Metadata): void;
  fail(failure: Failure): void;
  /** Closes the connection, after the headers and this part of a framed message where there is one. */
  cut(part: Uint8Array | undefined): void;
}

/** A call with one answer. */
export interface SingleAnswer extends AnsweredCall {
  /** Sends the serialised message and the status OK. */
  answer(message: Uint8Array): void;
}

/** A call with a stream of answers. */
export interface AnswerStream extends AnsweredCall {
  /** Resolves when the next message may be written, undefined when it may be at once; rejects when the call is over. */
  write(message: Uint8Array): Promise<void> | undefined;
  /** Resolves when nothing waits to go out any more; rejects when the call is over. */
  whenOut(): Promise<void>;
  /** Sends the status OK. */
  end(): void;
}

/** The requests of a call that streams them. */
export interface RequestStream {
  /** Serialised messages, each read when it is asked for. Reading throws when the call is over. */
  read(): AsyncIterable<Uint8Array>;
  /** Whether the stream has ended inside a message. */
  isCutShort(): boolean;
  /** Whether the deadline of the call has passed. */
  isExpired(): boolean;
}

/** What goes out of an answer before its connection is cut; undefined for nothing of it. */
function cutPart({ output }: Operation, { partOf }: ConnectionCut): Uint8Array | undefined {
  return partOf && firstHalfOf(() => framed(toBinary(output, partOf)));
}

/** Ends a call by what its service threw, once nothing else goes out. */
export function failCall(operation: Operation, call: AnsweredCall, thrown: unknown): void {
  if (thrown instanceof ConnectionCut) call.cut(cutPart(operation, thrown));
  else call.fail(failureOf(thrown, call.serverCall));
}

/** Sends what the service has set of metadata, if any. Throws a CallError for metadata that cannot be sent. */
export function sendOwnMetadata(call: AnsweredCall): void {
  const metadata = call.serverCall.metadataToSend();
  if (metadata !== undefined) call.sendMetadata(metadata);
}
