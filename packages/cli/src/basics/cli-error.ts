// What a user did that cannot be done, told in one line with the next step.

/** `usage`: wrong flag, name or value. `unavailable`: a server, tool or address is not there. `failed`: a check said no. */
export type CliErrorCode = "usage" | "unavailable" | "failed";

export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
