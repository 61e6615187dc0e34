// Errors of reports about values from outside.
import { CodedError } from "@roundtrip/runs/error";

/** `unknown-format`: no file of that name. `broken-csv`: invalid imported samples; the message names the line. */
export type ReportErrorCode = "unknown-format" | "broken-csv";

export class ReportError extends CodedError<ReportErrorCode> {
  override readonly name = "ReportError";
}
