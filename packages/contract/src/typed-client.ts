// One client with the types of a service, over whichever stack: who calls it does not know which style carries the call.
import { create } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { CallOptions, Client, InvokeStream } from "./client.ts";
import { only, onlyAnswer } from "./only-one.ts";

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

/**
 * The methods of a generated service by their names in TypeScript. Requests are messages or what `create` makes them of; answers are
 * messages. Calls reject, and streams throw when they are read, with CallErrors.
 */
export type TypedClient<S> =
  S extends GenService<infer M extends GenServiceMethods> ? { readonly [K in keyof M]: TypedMethod<M[K]> } : never;

type Init = MessageInitShape<DescMessage>;

async function* messagesOf(type: DescMessage, inits: AsyncIterable<Init> | Iterable<Init>): AsyncGenerator<Message> {
  for await (const init of inits) yield create(type, init);
}

/** What a method does, whatever its kind: prepared with its first call, so that a service of many methods costs what is used of it. */
function methodOf(method: DescMethod, client: Client): unknown {
  const { input, methodKind: kind } = method;
  const operation = () => client.contract.operation(`${method.parent.typeName}.${method.name}`);
  if (kind === "unary") {
    let invoke: ReturnType<Client["prepare"]> | undefined;
    // Async: an operation that the contract lacks rejects the call, as everything does that is wrong with it.
    return async (request: Init, options?: CallOptions) =>
      (invoke ??= client.prepare(operation()))(create(input, request), options);
  }
  let prepared: InvokeStream | undefined;
  const invoke: InvokeStream = (...given) => (prepared ??= client.prepareStream(operation()))(...given);
  switch (kind) {
    case "server_streaming":
      return (request: Init, options?: CallOptions) => invoke(only(create(input, request)), options);
    case "client_streaming":
      return async (requests: Iterable<Init>, options?: CallOptions) =>
        onlyAnswer(operation(), invoke(messagesOf(input, requests), options));
    case "bidi_streaming":
      return (requests: Iterable<Init>, options?: CallOptions) => invoke(messagesOf(input, requests), options);
  }
}

/**
 * A client of one service with its types. The contract that the client was connected with needs to have the service; a method that it
 * lacks fails with UNIMPLEMENTED.
 */
export function typedClient<S extends GenService<GenServiceMethods>>(service: S, client: Client): TypedClient<S> {
  const methods = service.methods.map((method) => [method.localName, methodOf(method, client)] as const);
  return Object.fromEntries(methods) as TypedClient<S>;
}
