// A fault that HTTP has a sharper status for than the canonical code alone gives (404, 405, 406, 413, 415).
import type { CallError } from "@roundtrip/contract";

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** What the body says. */
  readonly error: CallError;
  /** The value of the Allow header; empty without one. */
  readonly allow: string;

  constructor(status: number, error: CallError, allow = "") {
    super(error.message);
    this.status = status;
    this.error = error;
    this.allow = allow;
  }
}
