// What an output format is.
import type { VersionComparison } from "@roundtrip/analysis";
import type { ReportFile, ReportInput, TextLayout } from "../view/report-input.ts";

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

/** All that a document of a comparison is made from. */
export interface ComparisonInput {
  readonly comparison: VersionComparison;
  /** What is kept of it, as found from where the document is read; empty where nothing is. */
  readonly files: readonly ReportFile[];
  /** The pictures that lie beside the document, in their order; empty where its reader could not load them. */
  readonly pictures: readonly { readonly path: string; readonly alt: string }[];
  readonly page: TextLayout;
}

/** One way to write a comparison. A format is a file in `comparison-formats/` that exports `format`. */
export interface ComparisonFormat {
  /** What a user calls it; the same as its file's name. */
  readonly name: string;
  /** What a file of it is called beside others of the same comparison. */
  readonly fileName: string;
  /** The whole document. Pure: the same input gives the same text. */
  render(input: ComparisonInput): string;
}
