// All that a report is made from: values only, so that the same run gives the same document on any machine at any time.
import { foreignStudy, type Analysis, type RunFacts, type Scalar } from "@roundtrip/analysis";

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

/** One figure that somebody published, per task, in the terms of our arms. */
export interface PublishedRow {
  /** What the source calls it, for example `RPC` or `façade`. Rows of one label form one line of a table or a curve. */
  readonly label: string;
  /** The task that it stands beside; null for every task of the study. */
  readonly task: string | null;
  /** The style that it stands beside; null when the source knows no such difference. */
  readonly style: string | null;
  readonly variant: string;
  /** The factor of the sweep, for example `{ attributes: 3 }`; empty without one. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Milliseconds per task: a mean over a bulk of 100 is divided by 100 before. */
  readonly meanMs: number;
  readonly stddevMs: number | null;
}

/** Published figures that a study's results are shown beside. */
export interface PublishedFigures {
  readonly study: string;
  /** Short, for a table row: `Rablou 2010`. */
  readonly name: string;
  /** The full citation. */
  readonly source: string;
  /** What was measured there, in one sentence. */
  readonly setting: string;
  /** What to keep in mind when comparing, one sentence each. */
  readonly caveats: readonly string[];
  /** What was found, where a run can show it or not; empty where figures stand side by side. */
  readonly claims: readonly PublishedClaim[];
  readonly rows: readonly PublishedRow[];
}

/** A file of the run directory, to be named in the report. */
export interface ReportFile {
  readonly path: string;
  readonly holds: string;
}

/** How wide text may be, and whether it may carry colours: the caller looks at the terminal, the report does not. */
export interface TextLayout {
  readonly columns: number;
  readonly colour: boolean;
}

export interface ReportInput {
  readonly facts: RunFacts;
  readonly analysis: Analysis;
  readonly published: readonly PublishedFigures[];
  readonly files: readonly ReportFile[];
  readonly page: TextLayout;
}

/** True when nothing in the run was measured by this project: then rounds, placement and verification are not known. */
export function isForeign({ facts }: Pick<ReportInput, "facts">): boolean {
  return facts.arms.length > 0 && facts.arms.every(({ study }) => study === foreignStudy);
}
