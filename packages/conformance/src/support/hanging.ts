// A handler that never answers, for cases about calls that end early.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { handlersOf, type Handlers } from "@roundtrip/contract";

/** The request that is answered at once: a call with a short deadline needs an open connection. */
export const firstCall = { name: "first" };

export interface Hanging {
  readonly handlers: Handlers;
  readonly begun: Promise<void>;
  readonly aborted: Promise<void>;
  readonly hasBegun: () => boolean;
}

/** A handler that answers only the first call, and promises for the start and abort of the next one. */
export function hanging(): Hanging {
  let hasBegun = false;
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const handlers = handlersOf(HelloService, {
    sayHello({ name }, { signal }) {
      if (name === firstCall.name) return create(SayHelloResponseSchema, { message: name });
      signal.addEventListener("abort", () => aborted.resolve());
      hasBegun = true;
      begun.resolve();
      return new Promise(() => {});
    },
  });
  return { handlers, begun: begun.promise, aborted: aborted.promise, hasBegun: () => hasBegun };
}
