// How a deadline travels over HTTP, which has no header of its own for it.
import { CallError, endlessMs } from "@roundtrip/contract";

/** Milliseconds that the caller waits for the answer, as a whole number. */
export const deadlineHeader = "x-request-timeout-ms";

/** The longest time that a request may ask for: as many digits as a number holds exactly. */
export const longestTimeoutMs = 999_999_999_999_999;

/** The headers of a call with its deadline in them; none for a deadline that never comes. */
export function withDeadline(
  headers: Readonly<Record<string, string>>,
  timeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return headers;
  return { ...headers, [deadlineHeader]: String(Math.max(0, Math.ceil(timeoutMs))) };
}

/** The time-out that a request asks for, in milliseconds; undefined without one. Throws INVALID_ARGUMENT for what is no number. */
export function deadlineOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new CallError("INVALID_ARGUMENT", `${deadlineHeader}: not a whole number of milliseconds`);
  }
  return Number(header);
}
