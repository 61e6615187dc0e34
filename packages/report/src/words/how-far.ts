// How far a run came, in the same text for every format. Analysis counts the rounds; the run records how it ended.
import { roundsText } from "@roundtrip/analysis";
import { longDuration } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";

/** `6 rounds in 48 s`, `2 of 6 rounds and part of another in 21 s`. */
export function roundsInTime({ facts, analysis }: ReportInput): string {
  return `${roundsText(analysis.rounds)} in ${longDuration(facts.durationMs)}`;
}

/** The leading notice of an incomplete run; empty for a complete one. */
export function unfinishedText({ facts, analysis }: ReportInput): string {
  if (facts.status === "complete") return "";
  const how = facts.status === "interrupted" ? "was interrupted" : "failed";
  return `This run ${how} after ${roundsText(analysis.rounds)}: the figures are of what was measured until then.`;
}
