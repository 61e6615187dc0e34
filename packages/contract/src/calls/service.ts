// A service implements the contract and does not depend on a transport. Every stack can serve it; a fake is a service too.
import { CallError } from "../basics/call-error.ts";
import type { Contract, Operation } from "../descriptors/contract.ts";
import { untilEnded } from "./call-end.ts";
import type { CallContext, ServerCall } from "./server-call.ts";
import type { DescMessage, DescMethod, DescService, Message, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";

type MaybePromise<T> = T | Promise<T>;

/** Answers one operation. Requests are validated, responses are not: handlers are trusted. */
export type Handler = (request: Message, context: CallContext) => MaybePromise<Message>;

/** Answers one operation that streams in one direction or both. Requests are validated as they are read. */
export type StreamHandler = (requests: AsyncIterable<Message>, context: CallContext) => AsyncIterable<Message>;

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

export async function* only(message: Message): AsyncGenerator<Message> {
  yield message;
}

export async function* mapped<T, U>(
  values: AsyncIterable<T> | Iterable<T>,
  convert: (value: T) => U,
): AsyncGenerator<U> {
  for await (const value of values) yield convert(value);
}

/** The first request of a stream; no other is read. Rejects with INVALID_ARGUMENT if the stream is empty. */
export async function onlyRequest(requests: AsyncIterable<Message> | Iterable<Message>): Promise<Message> {
  for await (const request of requests) return request;
  throw new CallError("INVALID_ARGUMENT", "the call came without a request");
}

/**
 * Client: the answers of an operation, which are one if it does not stream them: it comes when nothing can follow. Reading throws UNIMPLEMENTED for
 * another number, as gRPC asks of clients (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
 */
export function countedAnswers(
  operation: Operation,
  answers: AsyncGenerator<Message, void, undefined>,
): AsyncGenerator<Message, void, undefined> {
  return operation.kind === "client_streaming" ? onlyOf(operation, answers) : answers;
}

async function* onlyOf(
  operation: Operation,
  answers: AsyncIterable<Message>,
): AsyncGenerator<Message, void, undefined> {
  let answer: Message | undefined;
  for await (const message of answers) {
    if (answer !== undefined) throw severalAnswers(operation);
    answer = message;
  }
  if (answer === undefined) throw noAnswer(operation);
  yield answer;
}

export function noAnswer({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} gave no answer`);
}

/** Client: the error of a call with more than one answer, which does not stream them. */
export function severalAnswers({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} gave more than one answer`);
}

/** Server: the first answer of a stream; no other is read. Rejects with INTERNAL if the stream is empty. */
export async function onlyAnswer({ id }: Operation, answers: AsyncIterable<Message>): Promise<Message> {
  for await (const answer of answers) return answer;
  throw new CallError("INTERNAL", `${id} gave no answer`);
}

/** Makes a request that the service answers, for an operation of its contract; undefined if it knows none. */
export type ExampleOf = (operation: Operation) => Message | undefined;

/** A typed client renames a method `then` to this, so it is no other method's name. */
const renamedThen = "then$";

/**
 * A distinct name for each method: the library's, with `$` for the later one of two equal names. The library changes the case of the first letter, so
 * `Ping` and `ping` would both be `ping`.
 */
export function methodNames({ methods }: Pick<DescService, "methods">): ReadonlyMap<DescMethod, string> {
  const names = new Map<DescMethod, string>();
  const taken = new Set<string>();
  for (const method of methods) {
    let name: string = method.localName;
    while (taken.has(name) || (name === renamedThen && method.localName !== renamedThen)) name += "$";
    taken.add(name);
    names.set(method, name);
  }
  return names;
}

/** The one request of a stream of answers, which the call holds until its last answer. */
async function* holding(requests: AsyncIterable<Message>, call: ServerCall): AsyncGenerator<Message> {
  for await (const request of requests) {
    if (!call.isHolding) call.hold(request);
    yield request;
  }
}

/** Services whose answers end with their calls. */
const ending = new WeakSet<Service>();

/**
 * The same service, whose calls reject and whose streams throw as soon as their deadline passes or their caller leaves. Handlers and
 * interceptors see it in the call's signal, but need not listen. The service itself if it is such a service already.
 */
export function endingWithCall(service: Service): Service {
  if (ending.has(service)) return service;
  const own: Service = {
    contract: service.contract,
    call(operation, request, call) {
      const answer = service.call(operation, request, call);
      if (!(answer instanceof Promise)) return answer;
      if (!call.isHolding) call.hold(request);
      return call.race(answer, operation.id);
    },
    stream(operation, requests, call) {
      const read = operation.kind === "server_streaming" ? holding(requests, call) : requests;
      return untilEnded(service.stream(operation, read, call), call.signal);
    },
    guard(other) {
      const guarded = service.guard(other);
      // Nothing is in front of a service that is not guarded.
      return guarded === other ? other : endingWithCall(guarded);
    },
  };
  ending.add(own);
  return own;
}
