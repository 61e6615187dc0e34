// Notes on a call: the server that received it, its client, the target that it was forwarded to, and the fields that its answer ignores. The log reads them.
import type { CallContext, Metadata, ServerCall, Service } from "@roundtrip/contract";

/** The server that received a call. */
export interface Receiver {
  /** Its name among the addresses of the fake. */
  readonly server: string;
  /** Of the server: `rest`. */
  readonly style: string;
}

/** Of calls that come through no server. */
const memory: Receiver = { server: "memory", style: "memory" };

const receiverKey = Symbol("receiver");

const targetKey = Symbol("target");

const ignoredKey = Symbol("ignored fields");

interface ReceivedCall extends ServerCall {
  [receiverKey]?: Receiver;
  [targetKey]?: string;
  [ignoredKey]?: readonly string[];
}

/** The same service, which notes on each call that this server received it. */
export function receivedBy(service: Service, receiver: Receiver): Service {
  return {
    contract: service.contract,
    guard: (beside) => service.guard(beside),
    call(operation, request, call: ReceivedCall) {
      call[receiverKey] = receiver;
      return service.call(operation, request, call);
    },
    stream(operation, requests, call: ReceivedCall) {
      call[receiverKey] = receiver;
      return service.stream(operation, requests, call);
    },
  };
}

export function receiverOf(call: CallContext): Receiver {
  return (call as ReceivedCall)[receiverKey] ?? memory;
}

/** Notes that the server at the URL answered the call, with this metadata. */
export function noteTarget(call: ServerCall, url: string, answered: Metadata): void {
  (call as ReceivedCall)[targetKey] = url;
  for (const [name, value] of answered) call.answerMetadata.set(name, value);
}

/** The URL that {@link noteTarget} noted; empty for a call that the fake answered. */
export function targetOf(call: ServerCall): string {
  return (call as ReceivedCall)[targetKey] ?? "";
}

/** Notes that the fields of the request with these names have no effect on the answer. */
export function noteIgnored(call: CallContext, names: readonly string[]): void {
  if (names.length > 0) (call as ReceivedCall)[ignoredKey] = names;
}

const nothing: readonly string[] = [];

export function ignoredIn(call: ServerCall): readonly string[] {
  return (call as ReceivedCall)[ignoredKey] ?? nothing;
}
