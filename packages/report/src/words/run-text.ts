// Facts of a run as text: environment, agreement of answers, connections and distance; and its warnings for one screen, those that make figures void
// first.
import { counted, durationText, listed, roundsText, type Analysis } from "@roundtrip/analysis";
import { generatorName, isImported, type Environment, type RunFacts } from "@roundtrip/runs";
import { longDuration } from "../basics/quantity.ts";
import { markNote } from "../view/marks.ts";
import type { ReportInput } from "../view/report-input.ts";

type Verified = Pick<RunFacts, "verification" | "events">;

const notCompared = "answers were not compared here: the calls were made elsewhere";

function agreement({ agreed, responsesCompared }: RunFacts["verification"]): string {
  if (!agreed) return "they did NOT agree";
  return responsesCompared > 0 ? "all agreed" : "the run ended before";
}

/** `312 responses compared before timing: all agreed`. */
export function agreementText(facts: Verified): string {
  const { verification } = facts;
  if (isImported(facts)) return notCompared;
  return `${counted(verification.responsesCompared, "response")} compared before timing: ${agreement(verification)}`;
}

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

/** `k6 v1.8.1, 2 instances, made the calls`; undefined for Roundtrip's clients. */
export function generatorsText(environment: Pick<Environment, "generators">): string | undefined {
  const name = generatorName(environment);
  return name === undefined ? undefined : `${name}${name.includes(",") ? "," : ""} made the calls`;
}

/** `link loopback with a round trip of 14 µs`, `link kernel with round trips of 1.02 ms, 50.1 ms and 100 ms`. */
export function linkText({ link, links = [] }: Pick<Environment, "link" | "links">): string {
  // Imported results do not report it.
  if (links.length === 0 && link.rttMs === 0) return `link ${link.kind}`;
  if (links.length === 0) return `link ${link.kind} with a round trip of ${durationText(link.rttMs)}`;
  const kinds = [...new Set(links.map(({ kind }) => kind))];
  const times = [...new Set(links.map(({ rttMs }) => durationText(rttMs)))];
  return `link ${listed(kinds)} with ${times.length === 1 ? "a round trip" : "round trips"} of ${listed(times)}`;
}

/** One sentence each; may be empty. */
export function cautions(analysis: Pick<Analysis, "arms" | "unsettled" | "warnings">): readonly string[] {
  const settled = markNote(analysis, analysis.arms);
  return [
    ...(settled === "" ? [] : [`${settled} Their names carry the sign below.`]),
    ...(analysis.warnings.some(({ code }) => code === "drift")
      ? [
          "Latency still moved inside the rounds: the warning “drift” says by how much, and what that does to ratios between stacks.",
        ]
      : []),
  ];
}

/** Codes by their effect on conclusions; all others follow. */
export const bySeverity: readonly string[] = [
  "answers-differ",
  "void",
  "k6-void",
  "client-saturated",
  "server-died",
  "client-died",
  "generator-died",
  "round-lost",
  "stood-still",
  "too-few-rounds",
  "few-rounds",
  "throttled",
  "busy",
  "no-time",
  "budget",
  "unfinished",
  "unfinished-tasks",
  "few-slow-calls",
  "sample-first-calls",
  "sample-drift",
  "sample-modes",
  "link-caveat",
];

/** Codes that {@link cautions} states more briefly. */
const saidByCautions = new Set(["unsettled", "drift"]);

function severityOf(code: string): number {
  const rank = bySeverity.indexOf(code);
  return rank === -1 ? bySeverity.length : rank;
}

/** One sentence for each kind of warning, most important first, so that no kind hides the others. */
export function leadingWarnings(analysis: Pick<Analysis, "arms" | "unsettled" | "warnings">): readonly string[] {
  const kinds = [...Map.groupBy(analysis.warnings, ({ code }) => code)].filter(([code]) => !saidByCautions.has(code));
  const severest = kinds.toSorted(([one], [other]) => severityOf(one) - severityOf(other));
  const sentences = severest.flatMap(([, [first, ...others]]) => {
    if (first === undefined) return [];
    return [others.length === 0 ? first.message : `${first.message} (and ${others.length} more of this kind)`];
  });
  const isGrave = severest.filter(([code]) => bySeverity.includes(code)).length;
  return [...sentences.slice(0, isGrave), ...cautions(analysis), ...sentences.slice(isGrave)];
}
