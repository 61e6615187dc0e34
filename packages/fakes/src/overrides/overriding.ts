// Answers calls with handlers: an interceptor that calls an operation's handler, and passes other operations on.
import type { Message } from "@bufbuild/protobuf";
import type { CallContext, Handlers, Interceptor, Operation, Service, ServerCall } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { operationNamed } from "../basics/names.ts";

/** The answer that a call would have without its handler. */
export interface OverriddenAnswer {
  /** In the contract of the call. */
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
}

/** A private property of the call: a WeakMap with an entry for each call would cost more than the call. */
const behindKey = Symbol("behind");

interface OverriddenCall {
  [behindKey]?: OverriddenAnswer;
}

/** The answer that the handler of this call overrides. Throws an Error if the handler is not an override. */
export function behind(context: CallContext): OverriddenAnswer {
  const found = (context as OverriddenCall)[behindKey];
  if (found === undefined)
    throw new Error("this handler overrides nothing: behind() works only in the handlers of a fake");
  return found;
}

function behindCall(service: Service, operation: Operation, call: ServerCall): OverriddenAnswer {
  return {
    operation,
    // oxlint-disable-next-line require-await -- so that what is thrown rejects
    call: async (request) => service.call(operation, request, call),
    stream: (requests) => service.stream(operation, requests, call),
  };
}

/** An interceptor that answers with handlers. Wrapping a service throws a FakeError for an operation that is not in its contract. */
export function overriding(handlers: Handlers): Interceptor {
  return (service) => {
    const { contract } = service;
    const byId = new Map([...handlers].map(([name, handler]) => [operationNamed(contract, name).id, handler]));
    const own = serviceOf(contract, byId);
    return {
      contract,
      guard: (other) => service.guard(other),
      call(operation, request, call) {
        if (!byId.has(operation.id)) return service.call(operation, request, call);
        (call as OverriddenCall)[behindKey] = behindCall(service, operation, call);
        return own.call(operation, request, call);
      },
      stream(operation, requests, call) {
        if (!byId.has(operation.id)) return service.stream(operation, requests, call);
        (call as OverriddenCall)[behindKey] = behindCall(service, operation, call);
        return own.stream(operation, requests, call);
      },
    };
  };
}
