// A handler that never answers, for cases about calls that end early.
import { create } from "@bufbuild/protobuf";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { handlersOf } from "@roundtrip/contract";
import type { CaseRun, CaseServerOptions } from "../case/case-run.ts";

/** The request that is answered at once: a call with a short deadline needs an open connection. */
export const firstCall = { name: "first" };

/** Serves a handler that answers only the first call, with promises for the start and the abort of the next one. */
export async function hanging(run: CaseRun, settings?: CaseServerOptions) {
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
  const server = await run.serve(handlers, settings);
  return { ...server, begun: begun.promise, aborted: aborted.promise, hasBegun: () => hasBegun };
}
