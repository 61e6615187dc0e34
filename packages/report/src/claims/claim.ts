// What a publication found, and whether a run shows the same: in words, because machines differ by decades and only shapes can be compared.
import type { ReportInput } from "../report-input.ts";

/** What in a run can show the same as what was found. */
export type ClaimKind =
  | "thinking-shortens-round-trips"
  | "model-predicts-round-trips"
  | "response-explodes-at-capacity"
  | "knee-moves"
  | "work-grows-and-way-stays";

/** One thing that a publication found. */
export interface PublishedClaim {
  /** A sentence without its full stop: `the cache moves the knee to the right`. */
  readonly found: string;
  readonly kind: ClaimKind;
}

/** What a run shows of it. */
export interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  /** Whether all of it goes the way that was published; null where that is for the reader to judge. */
  readonly isAlike: boolean | null;
}

/** What one study of a run shows; null where it has not measured it. */
export type Judge = (input: ReportInput, study: string) => Shown | null;
