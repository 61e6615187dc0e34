// A service is an implementation of the contract that knows no transport: every stack serves it, a fake is another one.
import type { DescService, Message, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Contract, Operation } from "./contract.ts";
import type { ServerCall } from "./server-call.ts";

/** What a handler may know about the call that it answers. */
export interface CallContext {
  /** Aborted when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  /** The request's metadata (gRPC) or headers (HTTP); names in lower case. */
  readonly metadata: ReadonlyMap<string, string>;
}

type MaybePromise<T> = T | Promise<T>;

/** Answers one operation. The response is checked against nothing: a handler is trusted, a caller is not. */
export type Handler = (request: Message, context: CallContext) => MaybePromise<Message>;

/** The contract's operations, answered. */
export interface Service {
  readonly contract: Contract;
  /** Checks the request against the contract's rules and answers it. Throws or rejects with a CallError, never with anything else. */
  call(operation: Operation, request: Message, call: ServerCall): MaybePromise<Message>;
}

/** Handlers by operation id. */
export type Handlers = ReadonlyMap<string, Handler>;

/** The typed methods of one generated service: what {@link handlersOf} takes. */
export type Methods<S> =
  S extends GenService<infer M extends GenServiceMethods>
    ? {
        readonly [K in keyof M]: (
          request: MessageShape<M[K]["input"]>,
          context: CallContext,
        ) => MaybePromise<MessageShape<M[K]["output"]>>;
      }
    : never;

/** Typed methods of a generated service as handlers by operation id. */
export function handlersOf<S extends DescService>(service: S, methods: Methods<S>): Handlers {
  const byName = methods as unknown as Readonly<Record<string, Handler>>;
  return new Map(
    service.methods.flatMap((method) => {
      const handler = byName[method.localName];
      return handler === undefined ? [] : [[`${service.typeName}.${method.name}`, handler] as const];
    }),
  );
}
