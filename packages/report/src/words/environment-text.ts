// Facts of a run as text: environment, agreement of answers, connections and distance.
import { counted, durationText, listed, roundsText } from "@roundtrip/analysis";
import { type Environment, isImported, type RunFacts } from "@roundtrip/runs";
import { longDuration } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";

type Verified = Pick<RunFacts, "verification" | "warnings">;

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

export function agreementInGroups(facts: Verified): string {
  const { verification } = facts;
  if (isImported(facts)) return notCompared;
  const { responsesCompared, answerGroups } = verification;
  return `${counted(responsesCompared, "response")} in ${counted(answerGroups, "group")} compared before timing: ${agreement(verification)}`;
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

/** `k6 v1.8.1 made the calls, 2 instances (segments 0:1/2 and 1/2:1)`; undefined for Roundtrip's clients. */
export function generatorsText({ generators = [] }: Pick<Environment, "generators">): string | undefined {
  if (generators.length === 0) return undefined;
  const names = new Set(
    generators.map(({ name, version }) => (version === null ? `${name} of an unknown version` : `${name} ${version}`)),
  );
  const segments = [...new Set(generators.map(({ segment }) => segment))];
  const instances = segments.length === 1 ? "" : `, ${segments.length} instances (segments ${listed(segments)})`;
  return `${listed([...names])} made the calls${instances}`;
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
