// What a call is called: an interceptor that gives each call an id, so that a caller and a log can speak of the same one.
import type { CallContext, Interceptor } from "@roundtrip/contract";
import { randomUUID } from "node:crypto";

/** Where an id travels, both ways. */
export const requestIdName = "x-request-id";

/** Longer ones, and several in one, are not taken over: they would be whatever a caller wants a log to say. */
const acceptable = /^[\w.:=+/-]{1,128}$/;

function nameCall({ metadata, answerMetadata }: CallContext, makeId: () => string): void {
  const given = metadata.get(requestIdName);
  answerMetadata.set(requestIdName, given !== undefined && acceptable.test(given) ? given : makeId());
}

/**
 * Sends an `x-request-id` with every answer and every error: the caller's own, or one that `makeId` makes. Handlers find it in
 * `answerMetadata`. It goes outside of interceptors that may fail a call, so that those failures have an id too.
 */
export function requestId(makeId: () => string = randomUUID): Interceptor {
  const named: Interceptor = (service) => ({
    contract: service.contract,
    guard: (other) => named(service.guard(other)),
    call(operation, request, call) {
      nameCall(call, makeId);
      return service.call(operation, request, call);
    },
    stream(operation, requests, call) {
      nameCall(call, makeId);
      return service.stream(operation, requests, call);
    },
  });
  return named;
}
