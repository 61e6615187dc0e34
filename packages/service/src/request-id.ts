// Request ids: an interceptor that gives each call an id, so that callers and logs can refer to the same call.
import type { CallContext, Interceptor, Metadata } from "@roundtrip/contract";
import { randomUUID } from "node:crypto";

/** The metadata name of the id, in requests and answers. */
export const requestIdName = "x-request-id";

/** Longer ids and lists of ids are replaced, so that a caller cannot write arbitrary text into a log. */
const acceptable = /^[\w.:=+/-]{1,128}$/;

/**
 * Sends an `x-request-id` with every answer and error of the service: the caller's id, or one from `makeId`, the same for all calls of one request.
 * Handlers find it in `answerMetadata`. Put it outside interceptors that can fail a call, so that their errors have an id too. Requests that the
 * style refuses have no id, because they reach no handler and no log.
 */
export function requestId(makeId: () => string = randomUUID): Interceptor {
  /** Ids by the metadata object that the calls of one request share. */
  const made = new WeakMap<Metadata, string>();
  const idMadeFor = (metadata: Metadata): string => {
    // Calls without metadata can share one empty object, so it identifies no request.
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
