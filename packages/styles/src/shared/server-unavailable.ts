// The error of a call without an answer, the same on every stack.
import { CallError } from "@roundtrip/contract";

/** The error of the last address, if a name has several. */
function reasonOf(error: Error): string {
  const last = error instanceof AggregateError ? ((error.errors as readonly Error[]).at(-1) ?? error) : error;
  return last.message;
}

/** UNAVAILABLE, with the address. @param why the library's error, or the reason as text; undefined if the connection was closed without an error. */
export function serverUnavailable(origin: string, why: Error | string | undefined): CallError {
  const cause = why instanceof Error ? why : undefined;
  const reason = why instanceof Error ? reasonOf(why) : (why ?? "the connection was closed");
  return new CallError("UNAVAILABLE", `no answer from ${origin}: ${reason}`, {}, { cause });
}
