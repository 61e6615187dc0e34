// What can go wrong when a report is made from values that came from outside.
import { FiguresError } from "@roundtrip/analysis/error";

/** `unknown-format`: no file of that name. `broken-csv`: foreign samples that cannot be read; the message names the line. */
export type ReportErrorCode = "unknown-format" | "broken-csv";

export class ReportError extends FiguresError<ReportErrorCode> {
  override readonly name = "ReportError";
}
