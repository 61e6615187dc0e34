// Whether a run shows what a publication found: in words, because machines differ by decades and only shapes can be compared.
import type { ReportInput } from "../view/report-input.ts";

/** What a run shows of it. */
export interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  /** Whether all of it goes the way that was published; null where that is for the reader to judge. */
  readonly isAlike: boolean | null;
}

/** What one study of a run shows; null where it has not measured it. */
export type Judge = (input: ReportInput, study: string) => Shown | null;
