// An error for the user: one line that says what is wrong and what to do.
import { CodedError } from "@roundtrip/contract/coded-error";

/** `usage`: wrong flag, name or value. `unavailable`: a server, tool or address is not there. `failed`: a check said no. */
export type CliErrorCode = "usage" | "unavailable" | "failed";

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}
