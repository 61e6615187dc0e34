// A typed client of a service, on any stack. Its caller does not depend on the style.
import type { Operation } from "../descriptors/contract.ts";
import type { CallOptions, Client } from "./client.ts";
import { mapped, methodNames, only, onlyAnswer } from "./service.ts";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";

type Requests<I extends DescMessage> = AsyncIterable<MessageInitShape<I>> | Iterable<MessageInitShape<I>>;

type TypedMethod<M extends GenServiceMethods[string]> = {
  unary: (request: MessageInitShape<M["input"]>, options?: CallOptions) => Promise<MessageShape<M["output"]>>;
  server_streaming: (
    request: MessageInitShape<M["input"]>,
    options?: CallOptions,
  ) => AsyncIterable<MessageShape<M["output"]>>;
  client_streaming: (requests: Requests<M["input"]>, options?: CallOptions) => Promise<MessageShape<M["output"]>>;
  bidi_streaming: (requests: Requests<M["input"]>, options?: CallOptions) => AsyncIterable<MessageShape<M["output"]>>;
}[M["methodKind"]];

/** JavaScript treats an object with a method `then` as a promise, so an async function could not return such a client. */
type ClientName<K> = K extends "then" ? "then$" : K;

function clientName(localName: string): string {
  return localName === "then" ? "then$" : localName;
}

/**
 * The methods of a generated service by their names in TypeScript. A method `then` is called `then$`. Requests are messages, or initial
 * values for `create`; answers are messages. Calls reject with CallErrors, and reading a stream throws them.
 */
export type TypedClient<S> =
  S extends GenService<infer M extends GenServiceMethods>
    ? { readonly [K in keyof M as ClientName<K>]: TypedMethod<M[K]> }
    : never;

// Messages of generated code as those of the client's contract, and back.

/** Converts a message of one descriptor to the other; returns the same object if both have the same properties. */
export type Conversion = (message: Message) => Message;

const same: Conversion = (message) => message;

function isSameField(first: DescField, second: DescField | undefined): boolean {
  return (
    first.localName === second?.localName &&
    first.oneof?.localName === second.oneof?.localName &&
    first.fieldKind === second.fieldKind &&
    first.scalar === second.scalar &&
    first.message?.typeName === second.message?.typeName &&
    first.enum?.typeName === second.enum?.typeName &&
    ("longAsString" in first && first.longAsString) === ("longAsString" in second && second.longAsString)
  );
}

/** Compares each type once, and those in it: messages can contain themselves. */
function areBuiltAlike(from: DescMessage, to: DescMessage): boolean {
  const pairs = new Map([[from, to]]);
  // The loop also visits pairs that it adds.
  for (const [first, second] of pairs) {
    if (first === second) continue;
    if (first.fields.length !== second.fields.length) return false;
    const byNumber = new Map(second.fields.map((field) => [field.number, field]));
    for (const field of first.fields) {
      const found = byNumber.get(field.number);
      if (found === undefined || !isSameField(field, found)) return false;
      if (field.message !== undefined && !pairs.has(field.message))
        pairs.set(field.message, found.message ?? field.message);
    }
  }
  return true;
}

export function conversion(from: DescMessage, to: DescMessage): Conversion {
  if (areBuiltAlike(from, to)) return same;
  return (message) => fromBinary(to, toBinary(from, message));
}

type Init = MessageInitShape<DescMessage>;
type Inits = AsyncIterable<Init> | Iterable<Init>;

interface Prepared<Invoke> {
  readonly operation: Operation;
  readonly invoke: Invoke;
  readonly request: (init: Init) => Message;
  readonly answer: Conversion;
}

/** Prepares a method on its first call, so that unused methods cost nothing. */
function prepared<Invoke>(
  { parent, name, input, output }: DescMethod,
  client: Client,
  prepare: (operation: Operation) => Invoke,
): () => Prepared<Invoke> {
  let known: Prepared<Invoke> | undefined;
  return () => {
    if (known !== undefined) return known;
    const operation = client.contract.operation(`${parent.typeName}.${name}`);
    const convert = conversion(input, operation.input);
    const request = (init: Init): Message => convert(create(input, init));
    return (known = { operation, invoke: prepare(operation), request, answer: conversion(operation.output, output) });
  };
}

/** The function of a method of any kind. Errors fail the call, not the preparation. */
function methodOf(method: DescMethod, client: Client): unknown {
  const { methodKind: kind } = method;
  if (kind === "unary") {
    const ready = prepared(method, client, (operation) => client.prepare(operation));
    return async (init: Init, options?: CallOptions) => {
      const { invoke, request, answer } = ready();
      return answer(await invoke(request(init), options));
    };
  }
  const ready = prepared(method, client, (operation) => client.prepareStream(operation));
  switch (kind) {
    case "server_streaming":
      return async function* (init: Init, options?: CallOptions) {
        const { invoke, request, answer } = ready();
        yield* mapped(invoke(only(request(init)), options), answer);
      };
    case "client_streaming":
      return async (inits: Inits, options?: CallOptions) => {
        const { operation, invoke, request, answer } = ready();
        return answer(await onlyAnswer(operation, invoke(mapped(inits, request), options)));
      };
    case "bidi_streaming":
      return async function* (inits: Inits, options?: CallOptions) {
        const { invoke, request, answer } = ready();
        yield* mapped(invoke(mapped(inits, request), options), answer);
      };
  }
}

/**
 * A typed client of one service. The contract of the connected client must have the service. A missing method fails with UNIMPLEMENTED.
 */
export function typedClient<S extends GenService<GenServiceMethods>>(service: S, client: Client): TypedClient<S> {
  const methods = [...methodNames(service)].map(
    ([method, name]) => [clientName(name), methodOf(method, client)] as const,
  );
  return Object.fromEntries(methods) as TypedClient<S>;
}
