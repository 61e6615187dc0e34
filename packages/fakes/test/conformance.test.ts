// The conformance suite against a fake, over three styles: a library changes nothing of what a fake answers.
import type { Message } from "@bufbuild/protobuf";
import { builtInContract, type CallContext, type Handlers, type ServerCall } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { conformanceCases, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import { localStack } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { createFake } from "../src/fake/fake.ts";

const contract = builtInContract();

/** Handlers of everything but customers, which a fake stores itself. */
function taught(): Handlers {
  const real = realService(contract);
  const operations = contract.operations.filter(({ id }) => !id.startsWith("roundtrip.v1.CustomerService."));
  return new Map(
    operations.map((operation) => {
      const call = (request: Message, context: CallContext) => real.call(operation, request, context as ServerCall);
      const stream = (requests: AsyncIterable<Message>, context: CallContext) =>
        real.stream(operation, requests, context as ServerCall);
      return [operation.id, operation.kind === "unary" ? call : stream] as const;
    }),
  );
}

/** Excludes cases with their own server, which do not use the fake. Powers of matrices come from handlers. */
const askingServices = conformanceCases.filter(({ needs }) => !needs.includes("server") && !needs.includes("matrix"));
const levels = new Map(conformanceCases.map(({ id, level }) => [id, level]));

it.each(["grpc-js", "rest-express", "graphql-apollo"])("a fake over %s", async (stack) => {
  const { service } = createFake({ contract, handlers: taught() });
  const results = await runConformance({
    contract,
    subject: localSubject({ ...(await localStack(stack, undefined)), service }),
    cases: askingServices,
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
  // SHOULD is advice, and a skip means a declared limitation of the stack.
  const failed = results.filter(({ caseId, status }) => status === "fail" && levels.get(caseId) !== "SHOULD");
  expect(failed.map(({ caseId, detail }) => `${caseId}: ${detail}`)).toEqual([]);
  expect(results).toHaveLength(askingServices.length);
});
