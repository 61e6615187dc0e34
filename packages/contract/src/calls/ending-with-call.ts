// Ends the answers of a service with their calls, whatever is slow in it: an interceptor, a handler, or the next message of a stream.
import type { Service } from "./service.ts";
import { untilEnded } from "./until-ended.ts";

/** Services whose answers end with their calls. */
const ending = new WeakSet<Service>();

/**
 * The same service, whose calls reject and whose streams throw as soon as their deadline passes or their caller leaves. Handlers and
 * interceptors see it in the call's signal, but need not listen. The service itself if it is such a service already.
 */
export function endingWithCall(service: Service): Service {
  if (ending.has(service)) return service;
  const own: Service = {
    contract: service.contract,
    call(operation, request, call) {
      const answer = service.call(operation, request, call);
      return answer instanceof Promise ? call.race(answer, operation.id) : answer;
    },
    stream: (operation, requests, call) => untilEnded(service.stream(operation, requests, call), call.signal),
    guard(other) {
      const guarded = service.guard(other);
      // Nothing is in front of a service that is not guarded.
      return guarded === other ? other : endingWithCall(guarded);
    },
  };
  ending.add(own);
  return own;
}
