// Typed handlers for some methods of a generated service: constants or functions that answer instead of the fake.
import {
  create,
  type DescMessage,
  type DescMethod,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import {
  conversion,
  mapped,
  methodNames,
  only,
  onlyAnswer,
  onlyRequest,
  type CallContext,
  type Conversion,
  type Handler,
  type Handlers,
  type Operation,
  type StreamHandler,
} from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError } from "../basics/fake-error.ts";
import { behind } from "./handling.ts";

type MaybePromise<T> = T | Promise<T>;
type Init = MessageInitShape<DescMessage>;
type Inits<O extends DescMessage> = AsyncIterable<MessageInitShape<O>> | Iterable<MessageInitShape<O>>;
type Shape<D extends DescMessage> = MessageShape<D>;

type FakeHandler<
  M extends GenServiceMethods[string],
  I extends DescMessage = M["input"],
  O extends DescMessage = M["output"],
> = {
  unary:
    | MessageInitShape<O>
    | ((
        request: Shape<I>,
        context: CallContext,
        behind: (request: Shape<I>) => Promise<Shape<O>>,
      ) => MaybePromise<MessageInitShape<O>>);
  server_streaming:
    | readonly MessageInitShape<O>[]
    | ((request: Shape<I>, context: CallContext, behind: (request: Shape<I>) => AsyncIterable<Shape<O>>) => Inits<O>);
  client_streaming:
    | MessageInitShape<O>
    | ((
        requests: AsyncIterable<Shape<I>>,
        context: CallContext,
        behind: (requests: AsyncIterable<Shape<I>>) => Promise<Shape<O>>,
      ) => MaybePromise<MessageInitShape<O>>);
  bidi_streaming:
    | readonly MessageInitShape<O>[]
    | ((
        requests: AsyncIterable<Shape<I>>,
        context: CallContext,
        behind: (requests: AsyncIterable<Shape<I>>) => AsyncIterable<Shape<O>>,
      ) => Inits<O>);
}[M["methodKind"]];

/**
 * Any of the methods of a generated service: a constant, or a function of the request. `behind` returns the answer without the handler.
 * Answers are messages, or objects that `create` turns into messages.
 */
export type FakeHandlers<S> =
  S extends GenService<infer M extends GenServiceMethods> ? { readonly [K in keyof M]?: FakeHandler<M[K]> } : never;

/** A handler without its types. */
type UntypedHandler = (request: unknown, context: CallContext, behind: (request: never) => unknown) => unknown;

/** A constant as a function. A stream of requests is read to its end first. */
function constant({ methodKind: kind, output }: DescMethod, value: unknown): UntypedHandler {
  const made = Array.isArray(value) ? value.map((init: Init) => create(output, init)) : create(output, value as Init);
  if (kind !== "client_streaming") return () => made;
  return async (requests) => {
    for await (const _ of requests as AsyncIterable<Message>);
    return made;
  };
}

/** The answer behind a handler, with messages of generated code. */
interface TypedBehind {
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
  /** A message of the call's contract as the handler takes it. */
  readonly received: Conversion;
  /** The handler's answer in the call's contract. */
  readonly answered: (init: unknown) => Message;
}

/** Finds the conversions between generated code and a contract once. */
function typedBehind({ input, output }: DescMethod): (context: CallContext) => TypedBehind {
  const known = new WeakMap<Operation, Readonly<Record<"received" | "passedOn" | "behind" | "answered", Conversion>>>();
  return (context) => {
    const { operation, call, stream } = behind(context);
    const conversions = known.get(operation) ?? {
      received: conversion(operation.input, input),
      passedOn: conversion(input, operation.input),
      behind: conversion(operation.output, output),
      answered: conversion(output, operation.output),
    };
    known.set(operation, conversions);
    const { received, passedOn, behind: fromBehind, answered } = conversions;
    return {
      operation,
      received,
      answered: (init) => answered(create(output, init as Init)),
      call: async (request) => fromBehind(await call(passedOn(request))),
      stream: (requests) => mapped(stream(mapped(requests, passedOn)), fromBehind),
    };
  };
}

function streamOf(inits: unknown, answered: TypedBehind["answered"]): AsyncGenerator<Message> {
  return mapped(inits as AsyncIterable<unknown>, answered);
}

/** Converts messages between generated code and the contract of the call. */
function untyped(method: DescMethod, handler: UntypedHandler): Handler | StreamHandler {
  const behindOf = typedBehind(method);
  switch (method.methodKind) {
    case "unary":
      return (request: Message, context: CallContext) => {
        const { received, answered, call } = behindOf(context);
        const made = handler(received(request), context, call);
        return made instanceof Promise ? made.then(answered) : answered(made);
      };
    case "server_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const { received, answered, stream } = behindOf(context);
        const request = received(await onlyRequest(requests));
        yield* streamOf(
          handler(request, context, (changed: Message) => stream(only(changed))),
          answered,
        );
      };
    case "client_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const { operation, received, answered, stream } = behindOf(context);
        const call = (changed: AsyncIterable<Message>) => onlyAnswer(operation, stream(changed));
        yield answered(await handler(mapped(requests, received), context, call));
      };
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: CallContext) => {
        const { received, answered, stream } = behindOf(context);
        return streamOf(handler(mapped(requests, received), context, stream), answered);
      };
  }
}

/** Handlers for a fake. Throws a FakeError for unknown methods, which only TypeScript finds earlier. */
export function fakeHandlers<S extends GenService<GenServiceMethods>>(service: S, typed: FakeHandlers<S>): Handlers {
  const byName = typed as Readonly<Record<string, unknown>>;
  const methods = methodNames(service);
  const names = [...methods.values()];
  const unknown = Object.keys(byName).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const text = `${service.typeName} has no method "${unknown}"${suggestion(unknown, names)}`;
    throw new FakeError("unknown-operation", text);
  }
  return new Map(
    [...methods].flatMap(([method, name]) => {
      const written = byName[name];
      if (written === undefined) return [];
      const handler = typeof written === "function" ? (written as UntypedHandler) : constant(method, written);
      return [[`${service.typeName}.${method.name}`, untyped(method, handler)] as const];
    }),
  );
}
