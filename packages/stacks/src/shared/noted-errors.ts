// The errors of answers that a server writes before a style sees the request, or by a library: a watch reads them.
import type { CallError } from "@roundtrip/contract";

export type NotedError = Pick<CallError, "code" | "message">;

const errors = new WeakMap<object, NotedError>();

/** @param response of HTTP/1.1, or the stream of HTTP/2 */
export function noteError(response: object, error: NotedError): void {
  errors.set(response, error);
}

export function notedError(response: object): NotedError | undefined {
  return errors.get(response);
}
