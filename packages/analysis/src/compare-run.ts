// Which arms are held against each other, and what may be said of each pair.
import { mean } from "d3-array";
import { hodgesLehmann } from "./hodges-lehmann.ts";
import { maxTIntervals } from "./max-t.ts";
import { pairedLogRatios, type Turns } from "./paired-log-ratio.ts";
import { randomFrom } from "./random.ts";
import type { Comparison, Ratio } from "./result.ts";
import type { Arm, Warning } from "./run.ts";
import type { Interval } from "./two-level-bootstrap.ts";
import { unpairedBlocks, type PairedArms } from "./unpaired-blocks.ts";

/** Two arms that differ in one thing only. */
export interface Pair {
  readonly kind: Comparison["kind"];
  readonly numerator: Arm;
  readonly denominator: Arm;
}

/** The factors of an arm as a key that does not depend on their order; `without` leaves one out. */
export function factorKey(arm: Arm, without?: string): string {
  const entries = Object.entries(arm.factors).filter(([name]) => name !== without);
  return JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Arms that are equal in everything that `keyOf` names, in the order in which they appear. */
function groups(arms: readonly Arm[], keyOf: (arm: Arm) => readonly string[]): readonly (readonly Arm[])[] {
  return [...Map.groupBy(arms, (arm) => JSON.stringify(keyOf(arm))).values()];
}

/** Stacks against each other: same study, task, variant and factors. The stack that comes first in the run is the numerator. */
function stackPairs(arms: readonly Arm[]): readonly Pair[] {
  const styles = arms.filter((arm) => arm.role === "style");
  return groups(styles, (arm) => [arm.study, arm.task, arm.variant, factorKey(arm)]).flatMap((group) =>
    group.flatMap((numerator, index) =>
      group.slice(index + 1).map((denominator) => ({ kind: "stack" as const, numerator, denominator })),
    ),
  );
}

/** Every other way to call against the façade: same study, task, stack and factors. */
function variantPairs(arms: readonly Arm[]): readonly Pair[] {
  return groups(arms, (arm) => [arm.study, arm.task, arm.stack, factorKey(arm)]).flatMap((group) => {
    const denominator = group.find((arm) => arm.variant === "facade");
    if (denominator === undefined) return [];
    return group
      .filter((arm) => arm !== denominator)
      .map((numerator) => ({ kind: "variant" as const, numerator, denominator }));
  });
}

/** Whether an arm's server was the run's own. */
function placeOf(arm: Arm): string {
  return arm.target === undefined ? "here" : "elsewhere";
}

/** Every style against the floor, where the floor did the same in the same way, and over the same network: here, or elsewhere. */
function floorPairs(arms: readonly Arm[]): readonly Pair[] {
  return groups(arms, (arm) => [arm.study, arm.task, arm.variant, factorKey(arm), placeOf(arm)]).flatMap((group) => {
    const denominator = group.find((arm) => arm.role === "floor");
    if (denominator === undefined) return [];
    return group
      .filter((arm) => arm.role === "style")
      .map((numerator) => ({ kind: "floor" as const, numerator, denominator }));
  });
}

/** The factor that says how large an answer is. */
const sizeFactor = "payloadBytes";

function sizeOf(arm: Arm): number {
  return Number(arm.factors[sizeFactor]);
}

/** Sizes of one style and way to call: the largest against the smallest, and the nearest two on both sides of one packet of the link. */
function sizePairs(arms: readonly Arm[], mtuBytes: number): readonly Pair[] {
  const sized = arms.filter((arm) => arm.role === "style" && typeof arm.factors[sizeFactor] === "number");
  const series = groups(sized, (arm) => [arm.study, arm.task, arm.stack, arm.variant, factorKey(arm, sizeFactor)]);
  return series.flatMap((group) => {
    const ascending = group.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    const ends = [ascending[0], ascending.at(-1)];
    const border = [
      ascending.findLast((arm) => sizeOf(arm) < mtuBytes),
      ascending.find((arm) => sizeOf(arm) > mtuBytes),
    ];
    const wanted = ends.every((arm, index) => arm === border[index]) ? [ends] : [ends, border];
    return wanted.flatMap(([denominator, numerator]) =>
      denominator === undefined || numerator === undefined || numerator === denominator
        ? []
        : [{ kind: "size" as const, numerator, denominator }],
    );
  });
}

/** All pairs of a run that differ in one thing only; `mtuBytes` is the link's largest packet, 0 when unknown. */
export function pairsOf(arms: readonly Arm[], mtuBytes: number): readonly Pair[] {
  return [...stackPairs(arms), ...variantPairs(arms), ...floorPairs(arms), ...sizePairs(arms, mtuBytes)];
}

/** How near to 1 a whole interval must lie to be called equal: the project's tolerance for "no slower" (2 %). */
const tolerance = Math.log(1.02);

/** What an interval of log ratios supports. */
function verdictOf(interval: Interval | null): Comparison["verdict"] {
  if (interval === null) return "inconclusive";
  if (interval.low > 0 || interval.high < 0) return "different";
  return interval.low >= -tolerance && interval.high <= tolerance ? "indistinguishable" : "inconclusive";
}

interface PairedRow extends PairedArms {
  readonly pair: Pair;
}

/** Simultaneous intervals over all pairs of one family. Pairs that share no round are left out. */
function compareFamily(family: string, pairs: readonly PairedRow[], seed: number): readonly Comparison[] {
  const rows = pairs.flatMap(({ pair, pairing: { logRatios } }) =>
    logRatios.some(Number.isFinite) ? [{ pair, logRatios }] : [],
  );
  const intervals = maxTIntervals(
    rows.map(({ logRatios }) => logRatios),
    randomFrom(seed, `max-t ${family}`),
  );
  return rows.map(({ pair, logRatios }, index) => {
    const rounds = logRatios.filter(Number.isFinite);
    const interval = intervals[index] ?? null;
    return {
      kind: pair.kind,
      numeratorId: pair.numerator.id,
      denominatorId: pair.denominator.id,
      ratio: Math.exp(mean(rounds) as number),
      low: interval === null ? null : Math.exp(interval.low),
      high: interval === null ? null : Math.exp(interval.high),
      hodgesLehmann: Math.exp(hodgesLehmann(rounds)),
      rounds: rounds.length,
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
  pairs: readonly Pair[],
  turnsOf: ReadonlyMap<string, Turns>,
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
