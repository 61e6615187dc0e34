// Answers calls with handlers: an interceptor that calls an operation's handler, and passes other operations on.
import type { Message } from "@bufbuild/protobuf";
import type { CallContext, Handlers, Interceptor, Operation, Service, ServerCall } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { operationNamed } from "../basics/names.ts";

/** The answer that a call would have without its handler. */
interface AnswerBehind {
  /** In the contract of the call. */
  readonly operation: Operation;
  readonly call: (request: Message) => Promise<Message>;
  readonly stream: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
}

/** A private property of the call: a WeakMap with an entry for each call would cost more than the call. */
const behindKey = Symbol("behind");

interface HandledCall {
  [behindKey]?: AnswerBehind;
}

/** The answer behind the handler of this call. Throws an Error outside the handlers of a fake. */
export function behind(context: CallContext): AnswerBehind {
  const found = (context as HandledCall)[behindKey];
  if (found === undefined) throw new Error("behind works only in the handlers of a fake");
  return found;
}

function markBehind(service: Service, operation: Operation, call: ServerCall): void {
  (call as HandledCall)[behindKey] = {
    operation,
    // oxlint-disable-next-line require-await -- so that what is thrown rejects
    call: async (request) => service.call(operation, request, call),
    stream: (requests) => service.stream(operation, requests, call),
  };
}

/** An interceptor that answers with handlers. Wrapping a service throws a FakeError for an operation that is not in its contract. */
export function handling(handlers: Handlers): Interceptor {
  return (service) => {
    const { contract } = service;
    const byId = new Map([...handlers].map(([name, handler]) => [operationNamed(contract, name).id, handler]));
    const handled = serviceOf(contract, byId);
    return {
      contract,
      guard: (beside) => service.guard(beside),
      call(operation, request, call) {
        if (!byId.has(operation.id)) return service.call(operation, request, call);
        markBehind(service, operation, call);
        return handled.call(operation, request, call);
      },
      stream(operation, requests, call) {
        if (!byId.has(operation.id)) return service.stream(operation, requests, call);
        markBehind(service, operation, call);
        return handled.stream(operation, requests, call);
      },
    };
  };
}
