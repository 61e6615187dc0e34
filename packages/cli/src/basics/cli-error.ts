// An error for the user: one line with the problem and what to do.
import { CodedError } from "@roundtrip/contract/coded-error";

/** `usage`: wrong flag, name or value. `unavailable`: a server, tool or address is missing. `failed`: a check failed. */
export type CliErrorCode = "usage" | "unavailable" | "failed";

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}
