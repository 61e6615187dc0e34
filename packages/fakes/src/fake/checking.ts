// Judges requests by the contract's rules before anything of a fake answers them: a stub for whatever comes would hide mistakes of callers
// that the real service tells them.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Interceptor } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";

/**
 * Checks requests of these operations, INVALID_ARGUMENT as the service itself would say.
 * @param operations ids; all others pass unseen, because what answers them checks on its own.
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
