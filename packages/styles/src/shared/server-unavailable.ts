// The error of a call that no server answered, equal on every stack.
import { CallError } from "@roundtrip/contract";

/** Several addresses of one name are tried in turn; the error is that of the last. */
function reasonOf(error: Error): string {
  const last = error instanceof AggregateError ? ((error.errors as readonly Error[]).at(-1) ?? error) : error;
  return last.message;
}

/**
 * UNAVAILABLE, naming the address.
 * @param why the library's error, or the reason as text; undefined if the connection was closed without an error.
 */
export function serverUnavailable(origin: string, why: Error | string | undefined): CallError {
  const cause = why instanceof Error ? why : undefined;
  const reason = why instanceof Error ? reasonOf(why) : (why ?? "the connection was closed");
  return new CallError("UNAVAILABLE", `no answer from ${origin}: ${reason}`, {}, { cause });
}
