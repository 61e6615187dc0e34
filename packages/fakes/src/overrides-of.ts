// Some methods of a generated service, as a program answers them in place of the fake: constants or functions, with the types of the contract.
import { create, type DescMessage, type DescMethod, type Message } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import {
  only,
  onlyRequest,
  type CallContext,
  type Handler,
  type Handlers,
  type StreamHandler,
} from "@roundtrip/contract";
import { behind as behindCall } from "./overriding.ts";

type MaybePromise<T> = T | Promise<T>;
type Init = MessageInitShape<DescMessage>;
type Inits<O extends DescMessage> = AsyncIterable<MessageInitShape<O>> | Iterable<MessageInitShape<O>>;
type Shape<D extends DescMessage> = MessageShape<D>;

type Override<
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
 * Any of the methods of a generated service: a constant, or a function of the request. `behind` asks for the answer that there would have
 * been. Answers are messages or what `create` makes them of.
 */
export type Overrides<S> =
  S extends GenService<infer M extends GenServiceMethods> ? { readonly [K in keyof M]?: Override<M[K]> } : never;

/** An override with its types taken away, as a function. */
type Answer = (request: unknown, context: CallContext, behind: (request: never) => unknown) => unknown;

async function* messagesOf(type: DescMessage, inits: unknown): AsyncGenerator<Message> {
  for await (const init of inits as AsyncIterable<Init>) yield create(type, init);
}

async function onlyOne(answers: AsyncIterable<Message>): Promise<Message> {
  return onlyRequest(answers);
}

function handlerOf({ methodKind: kind, output }: DescMethod, answer: Answer): Handler | StreamHandler {
  switch (kind) {
    case "unary":
      return (request: Message, context: CallContext) => {
        const behind = behindCall(context);
        const made = answer(request, context, (changed: Message) => behind.call(changed));
        return made instanceof Promise ? made.then((init: Init) => create(output, init)) : create(output, made as Init);
      };
    case "server_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const behind = behindCall(context);
        const request = await onlyRequest(requests);
        yield* messagesOf(
          output,
          answer(request, context, (changed: Message) => behind.stream(only(changed))),
        );
      };
    case "client_streaming":
      return async function* (requests: AsyncIterable<Message>, context: CallContext) {
        const behind = behindCall(context);
        const made = answer(requests, context, (changed: AsyncIterable<Message>) => onlyOne(behind.stream(changed)));
        yield create(output, (await made) as Init);
      };
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: CallContext) => {
        const behind = behindCall(context);
        return messagesOf(
          output,
          answer(requests, context, (changed: AsyncIterable<Message>) => behind.stream(changed)),
        );
      };
  }
}

/** A constant as a function; a stream of requests is read to its end before. */
function constant({ methodKind: kind, output }: DescMethod, value: unknown): Answer {
  const isStream = Array.isArray(value);
  const made = isStream ? value.map((init: Init) => create(output, init)) : create(output, value as Init);
  if (kind === "unary" || kind === "server_streaming") return () => made;
  if (kind === "bidi_streaming") return () => made;
  return async (requests) => {
    for await (const _ of requests as AsyncIterable<Message>);
    return made;
  };
}

/** Overrides as the handlers that a fake takes. */
export function overridesOf<S extends GenService<GenServiceMethods>>(service: S, overrides: Overrides<S>): Handlers {
  const byName = overrides as Readonly<Record<string, unknown>>;
  return new Map(
    service.methods.flatMap((method) => {
      const written = byName[method.localName];
      if (written === undefined) return [];
      const answer = typeof written === "function" ? (written as Answer) : constant(method, written);
      return [[`${service.typeName}.${method.name}`, handlerOf(method, answer)] as const];
    }),
  );
}
