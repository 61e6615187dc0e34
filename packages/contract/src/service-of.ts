// Makes a service of handlers. It has an entry of its own, `@roundtrip/contract/service`, because it brings the validation library:
// a client process has no use for that, and what is not measured is not in the process.
import { CallError } from "./call-error.ts";
import type { Contract } from "./contract.ts";
import { requestRules } from "./request-rules.ts";
import type { Handlers, Service } from "./service.ts";

/** A service that answers by handlers; an operation without one answers UNIMPLEMENTED. */
export function serviceOf(contract: Contract, handlers: Handlers): Service {
  const checkRequest = requestRules(contract);
  return {
    contract,
    call(operation, request, call) {
      const handler = handlers.get(operation.id);
      if (handler === undefined) throw new CallError("UNIMPLEMENTED", `${operation.id} is not implemented`);
      try {
        call.throwIfEnded();
        checkRequest(operation.input, request);
        const answer = handler(request, call);
        return answer instanceof Promise ? call.race(answer) : answer;
      } catch (thrown) {
        throw CallError.from(thrown);
      }
    },
  };
}
