// The deadline of an HTTP call, for which there is no standard header.
import { CallError, endlessMs } from "@roundtrip/contract";

/** The caller's time-out, in whole milliseconds. */
export const deadlineHeader = "x-request-timeout-ms";

/** The longest time-out: as many digits as a number keeps exactly. */
export const longestTimeoutMs = 999_999_999_999_999;

/** Adds the deadline to the headers of a call. */
export function withDeadline(
  headers: Readonly<Record<string, string>>,
  timeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return headers;
  return { ...headers, [deadlineHeader]: String(Math.max(0, Math.ceil(timeoutMs))) };
}

/** The time-out of a request in milliseconds; undefined without one. Throws INVALID_ARGUMENT for an invalid one. */
export function deadlineOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new CallError("INVALID_ARGUMENT", `${deadlineHeader}: not a whole number of milliseconds`);
  }
  return Number(header);
}
