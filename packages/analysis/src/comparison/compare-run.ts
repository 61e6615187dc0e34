// The ratio of each compared pair of arms, with its interval and verdict.
import { counted, listed } from "../basics/words.ts";
import { ratioOf, type Comparison, type Ratio } from "./comparison.ts";
import type { ComparedPair } from "./pairs-of.ts";
import type { Warning } from "../run/run-facts.ts";
import { hodgesLehmann } from "../statistics/hodges-lehmann.ts";
import { pairedLogRatios, type Pairing, type ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { randomFrom } from "../statistics/random.ts";
import { simultaneousIntervals, type BasedInterval } from "../statistics/simultaneous-intervals.ts";

/** Two arms and how their blocks were paired. */
interface PairedArms {
  readonly numeratorId: string;
  readonly denominatorId: string;
  readonly pairing: Pairing;
}

/** So many arms are named; the others are counted. */
const armsNamed = 3;

function namesText(armIds: readonly string[]): string {
  const others = armIds.length - armsNamed;
  return listed([...armIds.slice(0, armsNamed), ...(others > 0 ? [counted(others, "other arm")] : [])]);
}

/** One warning for the pairs that were dropped for one reason; none without any. */
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

/** At most two warnings for a whole run, whatever its size: blocks without a latency, and blocks whose mean is 0. */
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

/** How near to 1 a whole interval must lie to be called equal: the project's tolerance for "no slower" (2 %). */
const tolerance = Math.log(1.02);

/** What an interval of log ratios supports. That two arms are equal is never concluded from a few rounds, which may be alike by luck. */
function verdictOf(interval: BasedInterval | null): Comparison["verdict"] {
  if (interval === null) return "inconclusive";
  if (interval.low > 0 || interval.high < 0) return "different";
  if (interval.basis === "student-t") return "inconclusive";
  return interval.low >= -tolerance && interval.high <= tolerance ? "indistinguishable" : "inconclusive";
}

interface PairedRow extends PairedArms {
  readonly pair: ComparedPair;
}

/** Simultaneous intervals over all pairs of one family. Pairs that share no round are left out. */
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
 * Compares pairs of arms by their block means, and warns of blocks that stand alone. One family is what a reader sees as one table:
 * the comparisons of one kind in one study and task.
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
  const families = Map.groupBy(rows, ({ pair: { kind, numerator } }) => `${numerator.study}/${numerator.task}/${kind}`);
  const comparisons = [...families].flatMap(([family, members]) => compareFamily(family, members, seed));
  const measured = rows.filter((row) =>
    [row.numeratorId, row.denominatorId].every((id) => (turnsOf.get(id) ?? []).some(({ size }) => size > 0)),
  );
  return { comparisons, warnings: unpairedBlocks(measured) };
}

/** The same comparison seen from the other side. */
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
