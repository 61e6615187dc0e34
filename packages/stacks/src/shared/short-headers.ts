// Cuts headers whose values libraries repeat in errors, which no caller would read to the end.
import { maxErrorText } from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http2";

/** Replaces long values of these headers in place. They must be invalid at that length. */
export function cutLongHeaders(headers: IncomingHttpHeaders, names: readonly string[]): void {
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined && value.length > maxErrorText)
      headers[name] = `${String(value).slice(0, maxErrorText)}...`;
  }
}
