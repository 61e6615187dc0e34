// What can go wrong when a report is made from values that came from outside.

/** `unknown-format`: no file of that name. `broken-csv`: foreign samples that cannot be read; the message names the line. */
export type ReportErrorCode = "unknown-format" | "broken-csv";

export class ReportError extends Error {
  override readonly name = "ReportError";
  readonly code: ReportErrorCode;

  constructor(code: ReportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
