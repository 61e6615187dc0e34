// Makes a service of handlers. It has an entry of its own, `@roundtrip/contract/service`, because it brings the validation library:
// a client process has no use for that, and what is not measured is not in the process.
import { CallError } from "./call-error.ts";
import type { Contract, Operation } from "./contract.ts";
import { requestRules } from "./request-rules.ts";
import type { Message } from "@bufbuild/protobuf";
import type { Handler, Handlers, Service, StreamHandler } from "./service.ts";
import { untilEnded } from "./until-ended.ts";

/** A service that answers by handlers; an operation without one answers UNIMPLEMENTED. */
export function serviceOf(contract: Contract, handlers: Handlers): Service {
  const checkRequest = requestRules(contract);
  const handlerOf = (operation: Operation): Handler | StreamHandler => {
    const handler = handlers.get(operation.id);
    if (handler === undefined) throw new CallError("UNIMPLEMENTED", `${operation.id} is not implemented`);
    return handler;
  };
  async function* checked(operation: Operation, requests: AsyncIterable<Message>): AsyncIterable<Message> {
    for await (const request of requests) {
      checkRequest(operation.input, request);
      yield request;
    }
  }
  return {
    contract,
    call(operation, request, call) {
      const handler = handlerOf(operation) as Handler;
      try {
        call.throwIfEnded();
        checkRequest(operation.input, request);
        const answer = handler(request, call);
        return answer instanceof Promise ? call.race(answer) : answer;
      } catch (thrown) {
        throw CallError.from(thrown);
      }
    },
    async *stream(operation, requests, call) {
      const handler = handlerOf(operation) as StreamHandler;
      try {
        call.throwIfEnded();
        yield* untilEnded(handler(checked(operation, requests), call), call.signal);
      } catch (thrown) {
        throw CallError.from(thrown);
      }
    },
    // Nothing stands before handlers yet.
    guard: (other) => other,
  };
}

export { requestRules, type CheckRequest } from "./request-rules.ts";
export { createRuleValidator } from "./create-rule-validator.ts";
