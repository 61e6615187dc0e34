// What a call is called: an interceptor that gives each call an id, so that a caller and a log can speak of the same one.
import type { CallContext, Interceptor, Metadata } from "@roundtrip/contract";
import { randomUUID } from "node:crypto";

/** Where an id travels, both ways. */
export const requestIdName = "x-request-id";

/** Longer ones, and several in one, are not taken over: they would be whatever a caller wants a log to say. */
const acceptable = /^[\w.:=+/-]{1,128}$/;

/**
 * Sends an `x-request-id` with whatever the service answers, errors too: the caller's own, or one that `makeId` makes, the same for all calls
 * of one request. Handlers find it in `answerMetadata`. It goes outside of interceptors that may fail a call, so that those failures have
 * an id too. What a style refuses before the service is asked has none: it has reached no handler and stands in no log.
 */
export function requestId(makeId: () => string = randomUUID): Interceptor {
  /** By the metadata that calls of one request share. */
  const made = new WeakMap<Metadata, string>();
  const idMadeFor = (metadata: Metadata): string => {
    // Nobody's own: calls that say nothing of themselves may share that.
    if (metadata.size === 0) return makeId();
    const id = made.get(metadata) ?? makeId();
    made.set(metadata, id);
    return id;
  };
  const nameCall = ({ metadata, answerMetadata }: CallContext): void => {
    const given = metadata.get(requestIdName);
    answerMetadata.set(requestIdName, given !== undefined && acceptable.test(given) ? given : idMadeFor(metadata));
  };
  const named: Interceptor = (service) => ({
    contract: service.contract,
    guard: (other) => named(service.guard(other)),
    call(operation, request, call) {
      nameCall(call);
      return service.call(operation, request, call);
    },
    stream(operation, requests, call) {
      nameCall(call);
      return service.stream(operation, requests, call);
    },
  });
  return named;
}
