// Makes a service from handlers. A separate entry, `@roundtrip/contract/service`, because it loads the validation library, which a measured
// client process does not need.
import { CallError } from "../basics/call-error.ts";
import type { Contract, Operation } from "../descriptors/contract.ts";
import { requestRules } from "../validation/request-rules.ts";
import type { Message } from "@bufbuild/protobuf";
import { endingWithCall, type Handler, type Handlers, type Service, type StreamHandler } from "./service.ts";

/** A service that answers with handlers. An operation without one answers UNIMPLEMENTED. */
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
  return endingWithCall({
    contract,
    call(operation, request, call) {
      const handler = handlerOf(operation) as Handler;
      try {
        call.throwIfEnded();
        checkRequest(operation.input, request);
        return handler(request, call);
      } catch (thrown) {
        throw CallError.from(thrown, operation.id);
      }
    },
    async *stream(operation, requests, call) {
      const handler = handlerOf(operation) as StreamHandler;
      try {
        yield* handler(checked(operation, requests), call);
      } catch (thrown) {
        throw CallError.from(thrown, operation.id);
      }
    },
    // There are no interceptors before handlers yet.
    guard: (other) => other,
  });
}

export { requestRules, type CheckRequest } from "../validation/request-rules.ts";
export { createRuleValidator } from "../validation/create-rule-validator.ts";
