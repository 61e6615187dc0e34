// The ratio of each compared pair of arms, with its interval and verdict.
import { coarseVariant, sweepOf } from "./leading-cell.ts";
import type { ComparedPair } from "./pairs-of.ts";
import { counted } from "../basics/words.ts";
import { type Comparison, type Ratio, ratioOf } from "./comparison.ts";
import type { Arm } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { hodgesLehmann } from "../statistics/describe-samples.ts";
import { pairedLogRatios, type Pairing, type ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { randomFrom } from "../statistics/random.ts";
import { type BasedInterval, simultaneousIntervals } from "../statistics/simultaneous-intervals.ts";

/** Whether pairs of stacks lead their task: in its coarse variant, at both ends of what varies most, such as the fewest and the most attributes. */
export function leadingPairs(pairs: readonly ComparedPair[]): ReadonlySet<ComparedPair> {
  const ofStacks = pairs.filter(({ kind }) => kind === "stack");
  const tasks = Map.groupBy(ofStacks, ({ numerator: { study, task } }) => JSON.stringify([study, task]));
  const leading = [...tasks.values()].flatMap((ofTask) => {
    const arms = ofTask.map(({ numerator }) => numerator);
    const [{ study, task } = { study: "", task: "" }] = arms;
    const coarse = coarseVariant(arms, study, task);
    const candidates = ofTask.filter(({ numerator: { variant } }) => variant === coarse);
    const sweep = sweepOf(candidates.map(({ numerator }) => numerator));
    if (sweep === null) return candidates;
    const ends = new Set<unknown>([sweep.values[0], sweep.values.at(-1)]);
    return candidates.filter(({ numerator: { factors } }) => ends.has(factors[sweep.factor]));
  });
  return new Set(leading);
}

interface PairedRow {
  readonly pair: ComparedPair;
  readonly pairing: Pairing;
}

/** One warning for a run with blocks that no comparison could use. */
function unpairedBlocks(rows: readonly PairedRow[]): readonly Warning[] {
  const pairs = rows.reduce((sum, { pairing }) => sum + pairing.leftOut, 0);
  if (pairs === 0) return [];
  const why = "one of the two has no answered task, or a mean of 0";
  return [{ code: "unpaired-blocks", message: `${counted(pairs, "pair")} of blocks left out of comparisons: ${why}` }];
}

/** Maximum distance of an equal interval from 1 (2 %), as a logarithm. */
const tolerance = Math.log(1.02);

/** The verdict of an interval of log ratios. Never `indistinguishable` from a few rounds, which may agree by chance. */
function verdictOf(interval: BasedInterval | null): Comparison["verdict"] {
  if (interval === null) return "inconclusive";
  if (interval.low > 0 || interval.high < 0) return "different";
  if (interval.basis === "student-t") return "inconclusive";
  return interval.low >= -tolerance && interval.high <= tolerance ? "indistinguishable" : "inconclusive";
}

function compareFamily(family: string, pairs: readonly PairedRow[], seed: number): readonly Comparison[] {
  const rows = pairs.flatMap(({ pair, pairing: { logRatios } }) =>
    logRatios.some(Number.isFinite) ? [{ pair, logRatios }] : [],
  );
  const intervals = simultaneousIntervals(
    rows.map(({ logRatios }) => logRatios),
    randomFrom(seed, `max-t ${family}`),
  );
  return rows.map(({ pair, logRatios }, index) => {
    const interval = intervals[index] ?? null;
    return {
      kind: pair.kind,
      numeratorId: pair.numerator.id,
      denominatorId: pair.denominator.id,
      ...ratioOf(logRatios, interval),
      basis: interval?.basis ?? null,
      hodgesLehmann: Math.exp(hodgesLehmann(logRatios.filter(Number.isFinite))),
      verdict: verdictOf(interval),
      family,
      familySize: rows.length,
    };
  });
}

/**
 * Compares pairs by block means, and warns of unpaired blocks. A family is the comparisons of one kind in one study and task; of stacks, those that
 * lead the task are one, and all others another.
 */
export function comparePairs(
  pairs: readonly ComparedPair[],
  turnsOf: ReadonlyMap<string, ValuesByTurn>,
  seed: number,
): { readonly comparisons: readonly Comparison[]; readonly warnings: readonly Warning[] } {
  const rows = pairs.map((pair): PairedRow => {
    const [numerator, denominator] = [turnsOf.get(pair.numerator.id), turnsOf.get(pair.denominator.id)];
    return { pair, pairing: pairedLogRatios(numerator ?? [], denominator ?? []) };
  });
  const leading = leadingPairs(pairs);
  const families = Map.groupBy(rows, ({ pair }) => {
    const { kind, numerator } = pair;
    const part = kind === "stack" && !leading.has(pair) ? "/others" : "";
    return `${numerator.study}/${numerator.task}/${kind}${part}`;
  });
  const comparisons = [...families].flatMap(([family, members]) => compareFamily(family, members, seed));
  const isMeasured = ({ id }: Arm): boolean => (turnsOf.get(id) ?? []).some(({ size }) => size > 0);
  const measured = rows.filter(({ pair }) => isMeasured(pair.numerator) && isMeasured(pair.denominator));
  return { comparisons, warnings: unpairedBlocks(measured) };
}

export function inverted<T extends Ratio & Pick<Comparison, "numeratorId" | "denominatorId">>(comparison: T): T {
  return {
    ...comparison,
    numeratorId: comparison.denominatorId,
    denominatorId: comparison.numeratorId,
    ratio: 1 / comparison.ratio,
    low: comparison.high === null ? null : 1 / comparison.high,
    high: comparison.low === null ? null : 1 / comparison.low,
    hodgesLehmann: 1 / comparison.hodgesLehmann,
  };
}
