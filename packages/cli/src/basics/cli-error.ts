// What a user did that cannot be done, told in one line with the next step.
import { CodedError } from "@roundtrip/contract/coded-error";

/** `usage`: wrong flag, name or value. `unavailable`: a server, tool or address is not there. `failed`: a check said no. */
export type CliErrorCode = "usage" | "unavailable" | "failed";

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}
