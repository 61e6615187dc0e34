// What an output format is.
import type { ReportInput } from "../view/report-input.ts";

/** One way to write a report. A format is a file in `formats/` that exports `format`. */
export interface Format {
  /** What a user calls it; the same as its file's name. */
  readonly name: string;
  /** Without a leading dot; only formats whose extension has no dot at all are chosen by the name of a file. */
  readonly fileExtension: string;
  readonly mediaType: string;
  /** The whole document. Pure: the same input gives the same text. */
  render(input: ReportInput): Promise<string>;
}
