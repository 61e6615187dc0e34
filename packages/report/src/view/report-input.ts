// The input of a report: values only, so that the same run gives the same document on any machine.
import { foreignStudy, type Analysis } from "@roundtrip/analysis";
import type { PublishedFigures, RunFacts } from "@roundtrip/runs";

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
