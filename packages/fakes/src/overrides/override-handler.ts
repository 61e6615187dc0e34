// Makes a handler of an override: converts messages between generated code and the contract of the call.
import { create, type DescMessage, type DescMethod, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import {
  conversion,
  mapped,
  only,
  onlyAnswer,
  onlyRequest,
  type CallContext,
  type Conversion,
  type Handler,
  type Operation,
  type StreamHandler,
} from "@roundtrip/contract";
import { behind } from "./overriding.ts";

type Init = MessageInitShape<DescMessage>;

/** An override without its types. */
export type Override = (request: unknown, context: CallContext, behind: (request: never) => unknown) => unknown;

/** The answer behind a handler, with messages of generated code. */
interface TypedBehind {
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
  /** A message of the call's contract as the handler takes it. */
  readonly given: Conversion;
  /** The handler's answer in the call's contract. */
  readonly answered: (init: unknown) => Message;
}

function answersOf(inits: unknown, answered: (init: unknown) => Message): AsyncGenerator<Message> {
  return mapped(inits as AsyncIterable<unknown>, answered);
}

/** Finds the conversions between generated code and a contract once. */
function typedBehind({ input, output }: DescMethod): (context: CallContext) => TypedBehind {
  const known = new WeakMap<Operation, Readonly<Record<"given" | "asked" | "received" | "answered", Conversion>>>();
  return (context) => {
    const { operation, call, stream } = behind(context);
    const conversions = known.get(operation) ?? {
      given: conversion(operation.input, input),
      asked: conversion(input, operation.input),
      received: conversion(operation.output, output),
      answered: conversion(output, operation.output),
    };
    known.set(operation, conversions);
    const { given, asked, received, answered } = conversions;
    return {
      operation,
      given,
      answered: (init) => answered(create(output, init as Init)),
      call: async (request) => received(await call(asked(request))),
      stream: (requests) => mapped(stream(mapped(requests, asked)), received),
    };
  };
}

export function overrideHandler(method: DescMethod, override: Override): Handler | StreamHandler {
  const behindOf = typedBehind(method);
  switch (method.methodKind) {
    case "unary":
      return (request: Message, context: CallContext) => {
        const { given, answered, call } = behindOf(context);
        const made = override(given(request), context, call);
        return made instanceof Promise ? made.then(answered) : answered(made);
      };
    case "server_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const { given, answered, stream } = behindOf(context);
        const request = given(await onlyRequest(requests));
        yield* answersOf(
          override(request, context, (changed: Message) => stream(only(changed))),
          answered,
        );
      };
    case "client_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const { operation, given, answered, stream } = behindOf(context);
        const one = (changed: AsyncIterable<Message>) => onlyAnswer(operation, stream(changed));
        yield answered(await override(mapped(requests, given), context, one));
      };
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: CallContext) => {
        const { given, answered, stream } = behindOf(context);
        return answersOf(override(mapped(requests, given), context, stream), answered);
      };
  }
}
