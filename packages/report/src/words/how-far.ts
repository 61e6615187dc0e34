// How far the run came, said in the same words by every format: analysis counts the rounds, the run says how it ended.
import { roundsText } from "@roundtrip/analysis";
import { longDuration } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";

/** `6 rounds in 48 s`, `2 of 6 rounds and part of another in 21 s`. */
export function roundsInTime({ facts, analysis }: ReportInput): string {
  return `${roundsText(analysis.rounds)} in ${longDuration(facts.durationMs)}`;
}

/** What a reader must know before anything else about a run that did not come to its end; empty for one that did. */
export function unfinishedText({ facts, analysis }: ReportInput): string {
  if (facts.status === "complete") return "";
  const how = facts.status === "interrupted" ? "was interrupted" : "failed";
  return `This run ${how} after ${roundsText(analysis.rounds)}: the figures are of what was measured until then.`;
}
