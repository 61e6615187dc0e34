// The deadline of a call over HTTP, which has no standard header for it.
import { CallError, endlessMs } from "@roundtrip/contract";

/** How long the caller waits for the answer, in whole milliseconds. */
export const deadlineHeader = "x-request-timeout-ms";

/** The longest time-out of a request: the most digits that a number keeps exactly. */
export const longestTimeoutMs = 999_999_999_999_999;

/** The headers of a call with its deadline; unchanged without one. */
export function withDeadline(
  headers: Readonly<Record<string, string>>,
  timeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return headers;
  return { ...headers, [deadlineHeader]: String(Math.max(0, Math.ceil(timeoutMs))) };
}

/** The time-out of a request in milliseconds; undefined without one. Throws INVALID_ARGUMENT unless it is a number. */
export function deadlineOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new CallError("INVALID_ARGUMENT", `${deadlineHeader}: not a whole number of milliseconds`);
  }
  return Number(header);
}
