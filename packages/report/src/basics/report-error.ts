// Errors of reports about values from outside.
import { FiguresError } from "@roundtrip/analysis/error";

/** `unknown-format`: no file of that name. `broken-csv`: invalid imported samples; the message names the line. */
export type ReportErrorCode = "unknown-format" | "broken-csv";

export class ReportError extends FiguresError<ReportErrorCode> {
  override readonly name = "ReportError";
}
