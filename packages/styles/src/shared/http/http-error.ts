// A fault that HTTP has a sharper status for than the canonical code alone gives (404, 405, 406, 413, 415).
import type { CallError } from "@roundtrip/contract";

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** What the body says. */
  readonly error: CallError;
  /** What the answer says beside, for example `allow`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: CallError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}
