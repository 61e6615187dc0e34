// Answers calls by functions: an interceptor that gives the operations that have a handler to it, and the others on.
import type { Message } from "@bufbuild/protobuf";
import type { CallContext, Handlers, Interceptor, Operation, Service, ServerCall } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { operationNamed } from "./operation-named.ts";

/** What would have answered a call without its handler. */
export interface Behind {
  /** As the contract of the call has it. */
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
}

// By the call: a handler is given no more than any handler is.
const behindOf = new WeakMap<CallContext, Behind>();

/** What stands behind the handler that answers this call. Throws an Error for the call of a handler that stands before nothing. */
export function behind(context: CallContext): Behind {
  const found = behindOf.get(context);
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
        behindOf.set(call, behindCall(service, operation, call));
        return own.call(operation, request, call);
      },
      stream(operation, requests, call) {
        if (!byId.has(operation.id)) return service.stream(operation, requests, call);
        behindOf.set(call, behindCall(service, operation, call));
        return own.stream(operation, requests, call);
      },
    };
  };
}
