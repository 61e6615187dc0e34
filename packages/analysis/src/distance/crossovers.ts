// The round-trip time from which the façade beats another variant: where their lines over distance cross.
import { factorKey, stackAsSet, type StackAsSet } from "@roundtrip/runs";
import { mean } from "d3-array";
import { distanceFactor, type DistanceLine } from "./distance-lines.ts";
import { fiellerInterval } from "../statistics/fieller.ts";
import type { Line } from "../statistics/line-fit.ts";
import { minimumRounds, tInterval } from "../statistics/student-t.ts";

export interface Crossover extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly facade: StackAsSet;
  /** Its id and title, kept for readers of older JSON. */
  readonly facadeStack: string;
  readonly facadeTitle: string;
  /** Where the two lines cross, in milliseconds; null if not between the nearest and the farthest distance measured. */
  readonly aboveMs: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it is unbounded. */
  readonly low: number | null;
  readonly high: number | null;
  /** Which line is below the other at all measured distances; null when neither is. */
  readonly always: "facade" | "other" | null;
  /** Whether intervals over rounds confirm it: of the crossing, or of the difference of the lines at both ends. */
  readonly isClear: boolean;
  readonly nearestMs: number;
  readonly farthestMs: number;
  readonly rounds: number;
  readonly armIds: readonly string[];
}

interface Rivals {
  readonly slower: DistanceLine;
  readonly faster: DistanceLine;
}

/** Minimum difference of the slopes, in round trips, where too few rounds give no interval. */
const fewRoundsApart = 0.5;

function leadsAt(both: readonly { readonly one: Line; readonly other: Line }[], rttMs: number): readonly number[] {
  return both.map(({ one, other }) => one.intercept - other.intercept + (one.slope - other.slope) * rttMs);
}

/** The sign of the interval of these values; null without an interval, or when it contains 0. */
function clearSide(values: readonly number[]): number | null {
  const interval = tInterval(values);
  if (interval === null || interval.low * interval.high <= 0) return null;
  return Math.sign(interval.low);
}

function crossoverOf({ slower, faster }: Rivals): readonly Crossover[] {
  const both = slower.lines.flatMap((one, round) => {
    const other = faster.lines[round];
    return one === null || other === null || other === undefined ? [] : [{ one, other }];
  });
  if (both.length === 0) return [];
  const [nearestMs, farthestMs] = [slower.rttMs[0] ?? 0, slower.rttMs.at(-1) ?? 0];
  const ends = [nearestMs, farthestMs].map((rttMs) => leadsAt(both, rttMs));
  const sides = ends.map((leads) => Math.sign(mean(leads) ?? 0));
  const always = sides.every((side) => side > 0) ? "facade" : sides.every((side) => side < 0) ? "other" : null;
  const heads = both.map(({ one, other }) => other.intercept - one.intercept);
  const slopes = both.map(({ one, other }) => one.slope - other.slope);
  // Nearly parallel lines cross anywhere: a crossing is meaningful only where the other variant clearly waits for more.
  const parts = mean(slopes) as number;
  const isSteeper = both.length < minimumRounds ? parts > fewRoundsApart : clearSide(slopes) === 1;
  const crosses = always === null && isSteeper;
  const interval = crosses ? fiellerInterval(heads, slopes) : null;
  const [arm] = slower.arms;
  const [facade] = faster.arms;
  return [
    {
      study: arm.study,
      task: arm.task,
      variant: arm.variant,
      ...stackAsSet(arm),
      facade: stackAsSet(facade),
      facadeStack: facade.stack,
      facadeTitle: facade.title,
      aboveMs: crosses ? (mean(heads) as number) / parts : null,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      always,
      isClear: interval !== null || (always !== null && ends.every((leads) => clearSide(leads) !== null)),
      nearestMs,
      farthestMs,
      rounds: both.length,
      armIds: [arm.id, facade.id],
    },
  ];
}

/**
 * Compares `chatty` on every stack with the façade on every stack, and `chatty-parallel` with the façade on the same stack. Lines are fitted per
 * round; their crossing has Fieller's interval over rounds.
 */
export function crossovers(lines: readonly DistanceLine[]): readonly Crossover[] {
  const styles = lines.filter(({ arms: [arm] }) => arm.role === "style");
  const alike = Map.groupBy(styles, ({ arms: [arm] }) =>
    JSON.stringify([arm.study, arm.task, factorKey(arm, distanceFactor)]),
  );
  return [...alike.values()].flatMap((group) => {
    const facades = group.filter(({ arms: [arm] }) => arm.variant === "facade");
    const others = group.filter(({ arms: [arm] }) => ["chatty", "chatty-parallel"].includes(arm.variant));
    return others.flatMap((slower) =>
      facades
        .filter(({ arms: [arm] }) => slower.arms[0].variant === "chatty" || arm.stack === slower.arms[0].stack)
        .flatMap((faster) => crossoverOf({ slower, faster })),
    );
  });
}
