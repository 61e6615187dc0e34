// Requests that a browser sends for a page that may not call: those that change something are refused.
import { CallError, shortText } from "@roundtrip/contract";

/** By request: the origin of its page. Only requests that HTTP calls safe (RFC 9110, section 9.2.1) get this far. */
const foreign = new WeakMap<object, string>();

/** Notes that the page of a request may not call. */
export function markForeign(request: object, origin: string): void {
  foreign.set(request, origin);
}

/** PERMISSION_DENIED, or 403 in HTTP. */
export function foreignPage(origin: string): CallError {
  const page = shortText(origin, 200);
  return new CallError(
    "PERMISSION_DENIED",
    `a page of ${page} may not make this call: allow its origin with --allow-origin, or in allowedOrigins`,
  );
}

/** Throws an error if the page of a request may not call. For operations with side effects, which a contract may bind to GET. */
export function refuseForeignPage(request: object): void {
  const origin = foreign.get(request);
  if (origin !== undefined) throw foreignPage(origin);
}
