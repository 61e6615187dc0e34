// Answers calls by functions: an interceptor that gives the operations that have a handler to it, and the others on.
import type { Message } from "@bufbuild/protobuf";
import type { CallContext, Handlers, Interceptor, Operation, Service, ServerCall } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { operationNamed } from "../basics/operation-named.ts";

/** What would have answered a call without its handler. */
export interface Behind {
  /** As the contract of the call has it. */
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
}

/** On the call itself, where nobody else sees it: a WeakMap with an entry for each call would cost more than the call. */
const behindKey = Symbol("behind");

interface OverriddenCall {
  [behindKey]?: Behind;
}

/** What stands behind the handler that answers this call. Throws an Error for the call of a handler that stands before nothing. */
export function behind(context: CallContext): Behind {
  const found = (context as OverriddenCall)[behindKey];
  if (found === undefined) throw new Error("there is nothing behind this handler: it is no override");
  return found;
}

function behindCall(service: Service, operation: Operation, call: ServerCall): Behind {
  return {
    operation,
    // oxlint-disable-next-line require-await -- so that what is thrown rejects
    call: async (request) => service.call(operation, request, call),
    stream: (requests) => service.stream(operation, requests, call),
  };
}

/** An interceptor that answers by handlers. Putting it around a service throws a FakeError for an operation that its contract lacks. */
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
