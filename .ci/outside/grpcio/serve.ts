// Serves the conformance contract's streams over gRPC, on the stack in its argument. Prints the address in the first line; ends on SIGTERM.
import { conformanceContract } from "../../../packages/conformance/src/case/case-run.ts";
import { streamingHandlers } from "../../../packages/conformance/src/support/streams.ts";
import { CallError, type Interceptor } from "../../../packages/contract/src/index.ts";
import { serviceOf } from "../../../packages/contract/src/calls/service-of.ts";
import { loadServe, serveDefaults } from "../../../packages/stacks/src/index.ts";

/** Echoes the metadata, and makes errors as large as `x-violations` requests. */
const sayAgain: Interceptor = (service) => ({
  ...service,
  async *stream(operation, requests, call) {
    for (const name of ["x-said", "said-bin"]) {
      const said = call.metadata.get(name);
      if (said !== undefined) call.answerMetadata.set(name, said);
    }
    try {
      yield* service.stream(operation, requests, call);
    } catch (thrown) {
      const { code, message, details } = CallError.from(thrown);
      const count = Number(call.metadata.get("x-violations") ?? 0);
      if (count === 0) throw thrown;
      const violations = Array.from({ length: count }, () => ({ field: "x", description: "größer", reason: "z" }));
      throw new CallError(code, `${message}: ${"größer ".repeat(count)}`, { ...details, violations });
    }
  },
});

const stack = process.argv[2] ?? "";
const serve = await loadServe(stack);
const server = await serve(sayAgain(serviceOf(conformanceContract(), streamingHandlers)), serveDefaults);
process.stdout.write(`${JSON.stringify({ [stack]: server.url })}\n`);
process.once("SIGTERM", () => void server.close());
