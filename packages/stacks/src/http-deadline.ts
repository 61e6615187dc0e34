// How a deadline travels over HTTP, which has no header of its own for it.
import { CallError } from "@roundtrip/contract";

/** Milliseconds that the caller waits for the answer, as a whole number. */
export const deadlineHeader = "x-request-timeout-ms";

/** The time-out that a request asks for, in milliseconds; undefined without one. Throws INVALID_ARGUMENT for what is no number. */
export function deadlineOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new CallError("INVALID_ARGUMENT", `${deadlineHeader}: not a whole number of milliseconds`);
  }
  return Number(header);
}
