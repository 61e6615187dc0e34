// Handlers for answers that no contract defines and a fake cannot make up: greetings, payloads, matrix powers.
import type { Message } from "@bufbuild/protobuf";
import type { CallContext, Contract, Handlers, ServerCall } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";

/** Handlers of everything but customers, which a fake stores itself. */
export function taught(contract: Contract): Handlers {
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
