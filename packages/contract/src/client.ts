// How a caller sees a stack: prepare an operation once, then call it with messages of the contract.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "./contract.ts";
import type { Metadata } from "./metadata.ts";

/** What a caller may say about one call. */
export interface CallOptions {
  /** Milliseconds until the call fails with DEADLINE_EXCEEDED on both sides. */
  readonly timeoutMs?: number;
  /** Aborting it fails the call with CANCELLED on both sides. */
  readonly signal?: AbortSignal;
  /** Sent with the request. The call fails with INVALID_ARGUMENT for what not every style can carry. */
  readonly metadata?: Metadata;
  /** Hears the metadata of the answer, or of the error, once; nothing when no answer came. */
  readonly onMetadata?: (metadata: Metadata) => void;
}

/** Sends a request and resolves to the response; rejects with a CallError that carries the server's code and details. */
export type Invoke = (request: Message, options?: CallOptions) => Promise<Message>;

/** Sends several requests in one message exchange and resolves to the responses in the same order. */
export type InvokeTogether = (requests: readonly Message[], options?: CallOptions) => Promise<Message[]>;

/**
 * Sends a stream of requests (one, where the operation takes one) and reads the stream of responses (one, where it gives one). Nothing is
 * sent before the first read; reading throws a CallError. Stopping to read cancels the call.
 */
export type InvokeStream = (
  requests: AsyncIterable<Message> | Iterable<Message>,
  options?: CallOptions,
) => AsyncIterable<Message>;

/** A connected caller of one stack. */
export interface Client {
  /** What it calls; operations to prepare are those of this contract. */
  readonly contract: Contract;
  /** Resolves what can be resolved before the call (path, query text, codec). Rejects nothing: a missing method shows when called. */
  prepare(operation: Operation): Invoke;
  /** The same for an operation that streams; a stack that declares it cannot fails each call with UNIMPLEMENTED. */
  prepareStream(operation: Operation): InvokeStream;
  /** Several operations in one exchange; throws a CallError UNIMPLEMENTED on a stack that declares it cannot. */
  prepareTogether(operations: readonly Operation[]): InvokeTogether;
  /** Waits for calls in flight, then closes every connection. Closing twice is closing once. */
  close(): Promise<void>;
}
