// A service implements the contract and does not depend on a transport. Every stack can serve it; a fake is a service too.
import { methodNames } from "./method-names.ts";
import type { DescMessage, DescMethod, DescService, Message, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Contract, Operation } from "../descriptors/contract.ts";
import type { CallContext, ServerCall } from "./server-call.ts";
import { onlyRequest } from "./only-one.ts";

type MaybePromise<T> = T | Promise<T>;

/** Answers one operation. Requests are validated, responses are not: handlers are trusted. */
export type Handler = (request: Message, context: CallContext) => MaybePromise<Message>;

/** Answers one operation that streams in one direction or both. Requests are validated as they are read. */
export type StreamHandler = (requests: AsyncIterable<Message>, context: CallContext) => AsyncIterable<Message>;

/** Answers the operations of a contract. */
export interface Service {
  readonly contract: Contract;
  /** Checks the request against the contract's rules and answers it. Throws or rejects with a CallError, never with anything else. */
  call(operation: Operation, request: Message, call: ServerCall): MaybePromise<Message>;
  /**
   * The same for an operation that streams. Each request is checked as it is read. Reading answers stops when the call ends, and throws
   * CallErrors only.
   */
  stream(operation: Operation, requests: AsyncIterable<Message>, call: ServerCall): AsyncIterable<Message>;
  /** Puts another service behind the interceptors of this one, for example to protect reflection or an API page. */
  guard(other: Service): Service;
}

/** Wraps a service, so that every call passes it before a handler. The first of several interceptors is the outermost. */
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

/** Converts a method to a handler. A stream handler has streams on both sides, even if the method streams in one direction. */
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
    [...methodNames(service)].flatMap(([method, name]) => {
      const written = byName[name];
      const id = `${service.typeName}.${method.name}`;
      return written === undefined ? [] : [[id, handlerOf(method.methodKind, written)] as const];
    }),
  );
}
