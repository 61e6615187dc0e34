// Output formats.
import type { VersionComparison } from "@roundtrip/analysis";
import type { ReportFile, ReportInput, TextLayout } from "../view/report-input.ts";

export interface Format {
  /** The format's name for users, equal to its file name. */
  readonly name: string;
  /** Without a leading dot. A file name selects only formats whose extension contains no dot. */
  readonly fileExtension: string;
  /** Returns the whole document. Pure: the same input gives the same text. */
  render(input: ReportInput): Promise<string>;
}

export interface ComparisonInput {
  readonly comparison: VersionComparison;
  /** Files of the comparison, as paths from the document; may be empty. */
  readonly files: readonly ReportFile[];
  /** Pictures beside the document, in order; empty where its reader could not load them. */
  readonly pictures: readonly { readonly path: string; readonly alt: string }[];
  readonly page: TextLayout;
}

/** One output format of a comparison. A format is a file in `comparison-formats/` that exports `format`. */
export interface ComparisonFormat {
  readonly name: string;
  /** The document's file name beside others of the same comparison. */
  readonly fileName: string;
  /** Returns the whole document. Pure: the same input gives the same text. */
  render(input: ComparisonInput): string;
}
