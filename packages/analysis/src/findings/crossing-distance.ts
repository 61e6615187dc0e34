// From which round-trip time the façade is faster than sequential and than parallel calls.
import { configurationOf } from "../run/arm-factors.ts";
import type { Crossover } from "../distance/crossovers.ts";
import type { Finding } from "./finding.ts";
import type { StackAsSet } from "../run/stack-ids.ts";
import { counted, durationRange, durationText, listed } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, withoutRepeatedIntervalText } from "./phrases.ts";

/** ` above 4.2 ms (95 % interval 3.9 to 4.6 ms)`. */
function aboveText({ aboveMs, low, high, rounds }: Crossover): string {
  const interval =
    low === null || high === null
      ? `no interval from ${counted(rounds, "round")}`
      : `95 % interval ${durationRange(Math.max(0, low), high)}`;
  return `above ${durationText(aboveMs ?? 0)} (${interval})`;
}

const variantNames: Readonly<Record<string, string>> = {
  chatty: "chatty",
  "chatty-parallel": "chatty in parallel",
};

/** `chatty gRPC to façade REST and façade GraphQL`. */
function rivalsText(rows: readonly Crossover[], verb: string, also: string): readonly string[] {
  return [...Map.groupBy(rows, configurationOf).values()].map((ofStack) => {
    const [{ title, variant } = { title: "", variant: "" }] = ofStack;
    const name = variantNames[variant] ?? "chatty";
    return `${name} ${title} ${verb} ${listed(ofStack.map(({ facade }) => `façade ${facade.title}`))}${also}`;
  });
}

function titlesOf(rows: readonly StackAsSet[]): readonly string[] {
  return [...new Map(rows.map((row) => [configurationOf(row), row.title])).values()];
}

/** One phrase for rows that agree for every style of the façade; null where a pair is missing. */
function everyStyleText(rows: readonly Crossover[], verb: string, range: string): string | null {
  const titles = titlesOf(rows);
  const facades = titlesOf(rows.map(({ facade }) => facade));
  const [first] = rows;
  if (first === undefined || titles.length < 2) return null;
  const name = variantNames[first.variant] ?? "chatty";
  if (first.variant === "chatty" && rows.length === titles.length * facades.length) {
    return `${name} over ${listed(titles)} ${verb} the façade over any of ${listed(facades)} at every distance ${range}`;
  }
  if (first.variant === "chatty") return null;
  return `${name} over ${listed(titles)} ${verb} the façade over the same at every distance ${range}`;
}

function alwaysTexts(rows: readonly Crossover[], verb: string, range: string): readonly string[] {
  const whole = everyStyleText(rows, verb, range);
  return whole === null ? rivalsText(rows, verb, ` at every distance ${range}`) : [whole];
}

function sentenceFor(task: string, rows: readonly Crossover[]): string {
  const [first] = rows;
  const range = first === undefined ? "" : `from ${durationRange(first.nearestMs, first.farthestMs)}`;
  const crossing = rows.filter(({ aboveMs }) => aboveMs !== null);
  const texts = withoutRepeatedIntervalText(crossing.map(aboveText));
  const unclear = rows.filter(({ aboveMs, always }) => aboveMs === null && always === null);
  const lasting = (who: Crossover["always"]): readonly Crossover[] => rows.filter(({ always }) => always === who);
  const parts = [
    ...crossing.flatMap((row, index) => rivalsText([row], "loses to", ` ${texts[index]}`)),
    ...alwaysTexts(lasting("facade"), "loses to", range),
    ...alwaysTexts(lasting("other"), "wins against", range),
    ...(unclear.length === 0
      ? []
      : [`the distance from which the façade wins is unclear: ${listed(rivalsText(unclear, "and", ""))}`]),
  ];
  return `For a ${task}, ${parts.join("; ")}.`;
}

/** For sequential and for parallel calls, one sentence for the pairs of each strength. */
export function crossingDistance(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const rows = evidence.measured.crossovers.filter((row) => row.study === study && row.task === task);
  return [...Map.groupBy(rows, ({ variant }) => variant)].flatMap(([variant, ofVariant]) =>
    byStrength(ofVariant, ({ isClear }) => (isClear ? "clear" : "inconclusive")).map(([strength, alike]) => ({
      code: variant === "chatty" ? "crossover" : `crossover-${variant}`,
      study,
      sentence: sentenceFor(task, alike),
      strength,
      armIds: alike.flatMap(({ armIds }) => armIds),
    })),
  );
}
