// A handler for cases about calls that end before their answer.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "../../gen/roundtrip/v1/hello_pb.ts";
import { handlersOf, type Handlers } from "../../service.ts";

/** Who is answered at once: a call whose deadline is short needs a connection that is open. */
export const firstCall = { name: "first" };

export interface Hanging {
  readonly handlers: Handlers;
  readonly begun: Promise<void>;
  readonly aborted: Promise<void>;
  readonly hasBegun: () => boolean;
}

/** A handler that answers the first call alone, and what becomes of those that follow. */
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
