// An error with a more specific HTTP status than that of its canonical code (404, 405, 406, 413, 415).
import type { CallError } from "@roundtrip/contract";

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly error: CallError;
  /** Further headers of the answer, for example `allow`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: CallError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}
