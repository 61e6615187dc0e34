// Checks requests against the contract's rules before a fake answers them. Otherwise a stub without conditions would hide mistakes of callers that
// the real service reports.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Interceptor } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";

/**
 * Checks requests of these operations, and fails with INVALID_ARGUMENT as the service would.
 * @param operations ids; others are not checked here, because their handlers check them
 */
export function checking(contract: Contract, operations: ReadonlySet<string>): Interceptor {
  const check = requestRules(contract);
  return (service) => ({
    contract: service.contract,
    guard: (other) => service.guard(other),
    call(operation, request, call) {
      if (operations.has(operation.id)) {
        try {
          call.throwIfEnded();
          check(operation.input, request);
        } catch (thrown) {
          throw CallError.from(thrown);
        }
      }
      return service.call(operation, request, call);
    },
    stream(operation, requests, call) {
      if (!operations.has(operation.id)) return service.stream(operation, requests, call);
      async function* checked(): AsyncGenerator<Message> {
        for await (const request of requests) {
          check(operation.input, request);
          yield request;
        }
      }
      return service.stream(operation, checked(), call);
    },
  });
}
