// A service is an implementation of the contract that knows no transport: every stack serves it, a fake is another one.
import type { DescMessage, DescMethod, DescService, Message, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Contract, Operation } from "./contract.ts";
import type { CallContext } from "./call-context.ts";
import { onlyRequest } from "./only-one.ts";
import type { ServerCall } from "./server-call.ts";

type MaybePromise<T> = T | Promise<T>;

/** Answers one operation. The response is checked against nothing: a handler is trusted, a caller is not. */
export type Handler = (request: Message, context: CallContext) => MaybePromise<Message>;

/** Answers one operation that streams, in either direction or both. Requests come as they are read, and are checked already. */
export type StreamHandler = (requests: AsyncIterable<Message>, context: CallContext) => AsyncIterable<Message>;

/** The contract's operations, answered. */
export interface Service {
  readonly contract: Contract;
  /** Checks the request against the contract's rules and answers it. Throws or rejects with a CallError, never with anything else. */
  call(operation: Operation, request: Message, call: ServerCall): MaybePromise<Message>;
  /**
   * The same for an operation that streams: each request is checked as it is read, reading the answers ends with the call, and fails
   * with CallErrors alone.
   */
  stream(operation: Operation, requests: AsyncIterable<Message>, call: ServerCall): AsyncIterable<Message>;
  /** The other service behind the same interceptors as this one: for what a style serves beside the contract and strangers must not see. */
  guard(other: Service): Service;
}

/** A service around a service: what every call passes on its way to a handler. The first of several is the outermost. */
export type Interceptor = (service: Service) => Service;

/** Handlers by operation id: a {@link StreamHandler} for an operation that streams. */
export type Handlers = ReadonlyMap<string, Handler | StreamHandler>;

type Requests<I extends DescMessage> = AsyncIterable<MessageShape<I>>;
type Answers<O extends DescMessage> = AsyncIterable<MessageShape<O>>;

type Method<M extends GenServiceMethods[string]> = {
  unary: (request: MessageShape<M["input"]>, context: CallContext) => MaybePromise<MessageShape<M["output"]>>;
  server_streaming: (request: MessageShape<M["input"]>, context: CallContext) => Answers<M["output"]>;
  client_streaming: (requests: Requests<M["input"]>, context: CallContext) => MaybePromise<MessageShape<M["output"]>>;
  bidi_streaming: (requests: Requests<M["input"]>, context: CallContext) => Answers<M["output"]>;
}[M["methodKind"]];

/** The typed methods of one generated service: what {@link handlersOf} takes. */
export type Methods<S> =
  S extends GenService<infer M extends GenServiceMethods> ? { readonly [K in keyof M]: Method<M[K]> } : never;

/** A method as a handler: both ends of a stream handler are streams, whatever the method has. */
function handlerOf(kind: DescMethod["methodKind"], method: (...args: never[]) => unknown): Handler | StreamHandler {
  switch (kind) {
    case "unary":
      return method as Handler;
    case "bidi_streaming":
      return method as StreamHandler;
    case "server_streaming": {
      const answers = method as (request: Message, context: CallContext) => AsyncIterable<Message>;
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        yield* answers(await onlyRequest(requests), context);
      };
    }
    case "client_streaming": {
      const answer = method as (requests: AsyncIterable<Message>, context: CallContext) => MaybePromise<Message>;
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        yield await answer(requests, context);
      };
    }
  }
}

/** Typed methods of a generated service as handlers by operation id. */
export function handlersOf<S extends DescService>(service: S, methods: Methods<S>): Handlers {
  const byName = methods as unknown as Readonly<Record<string, (...args: never[]) => unknown>>;
  return new Map(
    service.methods.flatMap((method) => {
      const written = byName[method.localName];
      const id = `${service.typeName}.${method.name}`;
      return written === undefined ? [] : [[id, handlerOf(method.methodKind, written)] as const];
    }),
  );
}
