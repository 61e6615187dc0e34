// The ratio of each compared pair of arms, with its interval and verdict.
import { coarseVariant, sweepOf } from "./leading-cell.ts";
import type { ComparedPair } from "./pairs-of.ts";
import { counted, listed } from "../basics/words.ts";
import { type Comparison, type Ratio, ratioOf } from "./comparison.ts";
import type { Warning } from "@roundtrip/runs";
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

interface PairedArms {
  readonly numeratorId: string;
  readonly denominatorId: string;
  readonly pairing: Pairing;
}

const armsNamed = 3;

function namesText(armIds: readonly string[]): string {
  const others = armIds.length - armsNamed;
  return listed([...armIds.slice(0, armsNamed), ...(others > 0 ? [counted(others, "other arm")] : [])]);
}

function warningFor(
  code: string,
  why: string,
  rows: readonly PairedArms[],
  dropped: (pairing: Pairing) => { readonly numerator: number; readonly denominator: number },
): readonly Warning[] {
  const perArm = new Map<string, number>();
  for (const { numeratorId, denominatorId, pairing } of rows) {
    const { numerator, denominator } = dropped(pairing);
    perArm.set(numeratorId, (perArm.get(numeratorId) ?? 0) + numerator);
    perArm.set(denominatorId, (perArm.get(denominatorId) ?? 0) + denominator);
  }
  const concerned = [...perArm].filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one);
  if (concerned.length === 0) return [];
  const pairs = concerned.reduce((sum, [, count]) => sum + count, 0);
  const message = `${counted(pairs, "pair")} of blocks left out of comparisons: ${why}`;
  const [[first] = [""], ...others] = concerned;
  if (others.length === 0) return [{ code, message, armId: first }];
  return [{ code, message: `${message}, in ${namesText(concerned.map(([id]) => id))}` }];
}

/** At most two warnings per run: for blocks without a latency, and for blocks with a mean of 0. */
function unpairedBlocks(rows: readonly PairedArms[]): readonly Warning[] {
  return [
    ...warningFor("unpaired-blocks", "one of the two has no answered task", rows, ({ missing }) => missing),
    ...warningFor(
      "zero-blocks",
      "one of the two has a mean of 0, to which there is no ratio",
      rows,
      ({ zero }) => zero,
    ),
  ];
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

interface PairedRow extends PairedArms {
  readonly pair: ComparedPair;
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
    const [numeratorId, denominatorId] = [pair.numerator.id, pair.denominator.id];
    const pairing = pairedLogRatios(turnsOf.get(numeratorId) ?? [], turnsOf.get(denominatorId) ?? []);
    return { pair, numeratorId, denominatorId, pairing };
  });
  const leading = leadingPairs(pairs);
  const families = Map.groupBy(rows, ({ pair }) => {
    const { kind, numerator } = pair;
    const part = kind === "stack" && !leading.has(pair) ? "/others" : "";
    return `${numerator.study}/${numerator.task}/${kind}${part}`;
  });
  const comparisons = [...families].flatMap(([family, members]) => compareFamily(family, members, seed));
  const measured = rows.filter((row) =>
    [row.numeratorId, row.denominatorId].every((id) => (turnsOf.get(id) ?? []).some(({ size }) => size > 0)),
  );
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
