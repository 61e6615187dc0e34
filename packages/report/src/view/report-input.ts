// The input of a report: values only, so that the same run gives the same document on any machine.
import { foreignStudy, type Analysis } from "@roundtrip/analysis";
import type { RunFacts, Scalar } from "@roundtrip/runs";

/** Kinds of published findings that a run can reproduce. */
export type ClaimKind = "thinking-shortens-round-trips" | "response-explodes-at-capacity" | "knee-moves";

export interface PublishedClaim {
  /** A sentence without its full stop: `the cache moves the knee to the right`. */
  readonly found: string;
  readonly kind: ClaimKind;
}

/** One published figure per task, in the terms of Roundtrip's arms. */
export interface PublishedRow {
  /** The source's name for it, such as `RPC` or `façade`. Rows of one label form one line of a table or a curve. */
  readonly label: string;
  /** The task to compare it with; null for every task of the study. */
  readonly task: string | null;
  /** The style to compare it with; null when the source does not distinguish styles. */
  readonly style: string | null;
  readonly variant: string;
  /** The factor of the sweep, such as `{ attributes: 3 }`; otherwise empty. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Milliseconds per task. A mean over a bulk of 100 is divided by 100 first. */
  readonly meanMs: number;
  readonly stddevMs: number | null;
}

export interface PublishedFigures {
  readonly study: string;
  /** Short, for a table row: `Rablou 2010`. */
  readonly name: string;
  readonly source: string;
  /** What was measured, in one sentence. */
  readonly setting: string;
  /** Limits of the comparison, one sentence each. */
  readonly caveats: readonly string[];
  /** Findings that a run may reproduce; empty where figures are shown side by side. */
  readonly claims: readonly PublishedClaim[];
  readonly rows: readonly PublishedRow[];
}

export interface ReportFile {
  readonly path: string;
  readonly holds: string;
}

/** Text width and emphasis, set by the caller: the report does not inspect the terminal. */
export interface TextLayout {
  readonly columns: number;
  /** Begins the control sequences of emphasis; empty for none. */
  readonly introducer: string;
}

export interface ReportInput {
  readonly facts: RunFacts;
  readonly analysis: Analysis;
  readonly published: readonly PublishedFigures[];
  readonly files: readonly ReportFile[];
  readonly page: TextLayout;
}

/** Whether all arms were imported. Rounds, placement and verification are then unknown. */
export function isForeign({ facts }: Pick<ReportInput, "facts">): boolean {
  return facts.arms.length > 0 && facts.arms.every(({ study }) => study === foreignStudy);
}
