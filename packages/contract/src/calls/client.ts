// The client interface of a stack: prepare an operation once, then call it with messages of the contract.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../descriptors/contract.ts";
import { CallError } from "../basics/call-error.ts";
import type { Metadata } from "./metadata.ts";

/** The client with this metadata added to each call. A call's own value for the same name wins. */
export function withMetadata(client: Client, metadata: Metadata): Client {
  // Made once, because most calls have no options.
  const alone: CallOptions = { metadata };
  const added = (options: CallOptions | undefined): CallOptions => {
    if (options === undefined) return alone;
    const own = options.metadata;
    return { ...options, metadata: own === undefined ? metadata : new Map([...metadata, ...own]) };
  };
  return {
    contract: client.contract,
    prepare(operation) {
      const invoke = client.prepare(operation);
      return (request, options) => invoke(request, added(options));
    },
    prepareStream(operation) {
      const invoke = client.prepareStream(operation);
      return (requests, options) => invoke(requests, added(options));
    },
    prepareTogether(operations) {
      const invoke = client.prepareTogether(operations);
      return (requests, options) => invoke(requests, added(options));
    },
    ...("prepareLinked" in client && {
      prepareLinked(operations: readonly Operation[]): InvokeLinked {
        const invoke = linkedClient(client).prepareLinked(operations);
        return (requests, options) => invoke(requests, added(options));
      },
    }),
    close: () => client.close(),
  };
}

export interface CallOptions {
  /** Milliseconds until the call fails with DEADLINE_EXCEEDED on both sides. */
  readonly timeoutMs?: number;
  /** Aborting it fails the call with CANCELLED on both sides. */
  readonly signal?: AbortSignal;
  /** Sent with the request. The call fails with INVALID_ARGUMENT if a name or value is not supported by every style. */
  readonly metadata?: Metadata;
  /** Receives the metadata of the answer or of the error, once. It is not called if no answer arrives. */
  readonly onMetadata?: (metadata: Metadata) => void;
}

/** Sends a request and resolves to the response; rejects with a CallError that carries the server's code and details. */
export type Invoke = (request: Message, options?: CallOptions) => Promise<Message>;

/** Sends several requests in one message exchange and resolves to the responses in the same order. */
export type InvokeTogether = (requests: readonly Message[], options?: CallOptions) => Promise<Message[]>;

/**
 * Sends a stream of requests and reads a stream of responses. A direction that does not stream has exactly one message. Nothing is sent
 * before the first read. Reading throws a CallError. A caller that stops reading cancels the call.
 */
export type InvokeStream = (
  requests: AsyncIterable<Message> | Iterable<Message>,
  options?: CallOptions,
) => AsyncIterable<Message>;

/**
 * Reads a resource and what its answer links to, in one exchange: each operation takes its key from the answers of the one before. Resolves to the
 * answers of each operation. A request need not have the key.
 */
export type InvokeLinked = (
  requests: readonly Message[],
  options?: CallOptions,
) => Promise<readonly (readonly Message[])[]>;

/** A connected client of one stack. */
export interface Client {
  readonly contract: Contract;
  /** Prepares what does not depend on the request (path, query text, codec). It never throws: a missing method fails when called. */
  prepare(operation: Operation): Invoke;
  /** The same for an operation that streams; a stack that declares it cannot fails each call with UNIMPLEMENTED. */
  prepareStream(operation: Operation): InvokeStream;
  /** Several operations in one exchange; throws a CallError UNIMPLEMENTED on a stack that declares it cannot. */
  prepareTogether(operations: readonly Operation[]): InvokeTogether;
  /** Waits for calls in flight, then closes every connection. Closing twice is closing once. */
  close(): Promise<void>;
}

/** A client of a style whose answers can follow links. */
export interface LinkedClient extends Client {
  /** Gets and Lists that follow each other. Throws a CallError UNIMPLEMENTED where no link leads from one to the next. */
  prepareLinked(operations: readonly Operation[]): InvokeLinked;
}

/** Throws a CallError UNIMPLEMENTED for a client that cannot follow links. */
export function linkedClient(client: Client): LinkedClient {
  if ("prepareLinked" in client) return client as LinkedClient;
  throw new CallError("UNIMPLEMENTED", "this client cannot follow links");
}

export type Requests = AsyncIterable<Message> | Iterable<Message>;

/** Calls with streams whose callers may stop at any time. @param answersOf the signal in its options aborts when the caller stops. */
export function stoppable(
  answersOf: (requests: Requests, options: CallOptions) => AsyncGenerator<Message, void, undefined>,
): InvokeStream {
  return (requests, { signal, ...others } = {}) => ({
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
      const answers = answersOf(requests, { ...others, signal: either });
      return {
        next: () => answers.next(),
        // A generator that awaits an answer would stop only after the next one.
        return: () => {
          stop.abort();
          return answers.return();
        },
      };
    },
  });
}
