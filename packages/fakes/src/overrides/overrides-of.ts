// Overrides of some methods of a generated service: typed constants or functions that answer instead of the fake.
import {
  create,
  type DescMessage,
  type DescMethod,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { methodNames, type CallContext, type Handlers } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError } from "../basics/fake-error.ts";
import { overrideHandler, type Override as UntypedOverride } from "./override-handler.ts";

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
 * Any of the methods of a generated service: a constant, or a function of the request. `behind` returns the answer without the override.
 * Answers are messages, or objects that `create` turns into messages.
 */
export type Overrides<S> =
  S extends GenService<infer M extends GenServiceMethods> ? { readonly [K in keyof M]?: Override<M[K]> } : never;

/** A constant as a function. A stream of requests is read to its end first. */
function constant({ methodKind: kind, output }: DescMethod, value: unknown): UntypedOverride {
  const isStream = Array.isArray(value);
  const made = isStream ? value.map((init: Init) => create(output, init)) : create(output, value as Init);
  if (kind === "unary" || kind === "server_streaming") return () => made;
  if (kind === "bidi_streaming") return () => made;
  return async (requests) => {
    for await (const _ of requests as AsyncIterable<Message>);
    return made;
  };
}

/** Makes handlers of overrides for a fake. Throws a FakeError for unknown methods, which only TypeScript finds earlier. */
export function overridesOf<S extends GenService<GenServiceMethods>>(service: S, overrides: Overrides<S>): Handlers {
  const byName = overrides as Readonly<Record<string, unknown>>;
  const methods = methodNames(service);
  const names = [...methods.values()];
  const unknown = Object.keys(byName).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new FakeError(
      "unknown-operation",
      `${service.typeName} has no method "${unknown}"${suggestion(unknown, names)}`,
    );
  }
  return new Map(
    [...methods].flatMap(([method, name]) => {
      const written = byName[name];
      if (written === undefined) return [];
      const override = typeof written === "function" ? (written as UntypedOverride) : constant(method, written);
      return [[`${service.typeName}.${method.name}`, overrideHandler(method, override)] as const];
    }),
  );
}
