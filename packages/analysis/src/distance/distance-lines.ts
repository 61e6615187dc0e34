// Latency over distance: for every variant and round, the line of its latency against the measured round-trip time of its link, not the requested one,
// and where the lines of façade and other variants cross.
import {
  seriesKey,
  factorKey,
  stackAsSet,
  type Arm,
  type Environment,
  type RunFacts,
  type StackAsSet,
} from "@roundtrip/runs";
import { mean } from "d3-array";
import { byRound } from "../metrics/block-values.ts";
import {
  fiellerInterval,
  lineFit,
  minimumRounds,
  tInterval,
  type Line,
  type ValuesByRound,
} from "../statistics/student-t.ts";

export const distanceFactor = "rttMs";

/** Returns the measured round-trip time of an arm's link in milliseconds; the requested one if not measured, null without a distance. */
export function distanceOfArm({ links = [] }: Pick<Environment, "links">): (arm: Arm) => number | null {
  return ({ factors }) => {
    const asked = factors[distanceFactor];
    if (typeof asked !== "number") return null;
    const fitting = links.filter((one) => Object.entries(one.asked).every(([name, value]) => factors[name] === value));
    // Links omit requests that are defaults: of several that fit, the one with the most requests applies.
    const [link] = fitting.toSorted((one, other) => Object.keys(other.asked).length - Object.keys(one.asked).length);
    return link?.rttMs ?? asked;
  };
}

/** Arms that differ only in distance, near to far, and a line for each round that measured all of them. */
export interface DistanceLine {
  readonly arms: readonly [Arm, ...Arm[]];
  /** Latencies of all calls except the first, or of first calls between fresh processes. */
  readonly of: "calls" | "first call";
  /** Measured round-trip times, in the order of the arms. */
  readonly rttMs: readonly number[];
  /** By round, null where an arm is missing: slope in round trips of a task, intercept in milliseconds. */
  readonly lines: readonly (Line | null)[];
}

/**
 * A round's line by least squares. Of the estimators compared, this one reproduces the round trips published with the figures of 2009 (1.02 and
 * 1.98). The median of all pairwise slopes gives 1.02 and 2.01.
 */
function lineOfRound(rttMs: readonly number[], latencies: readonly ValuesByRound[], round: number): Line | null {
  const points = rttMs.map((x, index) => ({ x, y: mean(latencies[index]?.[round] ?? []) ?? Number.NaN }));
  return points.some(({ y }) => Number.isNaN(y)) ? null : lineFit(points);
}

export function distanceLines(
  arms: readonly Arm[],
  meansOf: ReadonlyMap<string, ValuesByRound>,
  distanceOf: (arm: Arm) => number | null,
  of: DistanceLine["of"] = "calls",
): readonly DistanceLine[] {
  const placed = arms.flatMap((arm) => {
    const [rttMs, rounds] = [distanceOf(arm), meansOf.get(arm.id)];
    return rttMs === null || rounds === undefined ? [] : [{ arm, rttMs, rounds }];
  });
  const alike = Map.groupBy(placed, ({ arm }) => seriesKey(arm, distanceFactor));
  return [...alike.values()].flatMap((group): DistanceLine | readonly DistanceLine[] => {
    const ascending = group.toSorted((one, other) => one.rttMs - other.rttMs);
    const [first, ...rest] = ascending.map(({ arm }) => arm);
    if (first === undefined || rest.length === 0) return [];
    const rttMs = ascending.map((one) => one.rttMs);
    const latencies = ascending.map(({ rounds }) => rounds);
    const count = Math.max(...latencies.map(({ length }) => length));
    return {
      arms: [first, ...rest],
      of,
      rttMs,
      lines: Array.from({ length: count }, (_, round) => lineOfRound(rttMs, latencies, round)),
    };
  });
}

export function firstCallsByArm(
  { firstCalls }: Pick<RunFacts, "firstCalls">,
  roundIds: readonly number[],
): ReadonlyMap<string, ValuesByRound> {
  const byArm = Map.groupBy(firstCalls, ({ armId }) => armId);
  return new Map(
    [...byArm].map(([armId, calls]) => [
      armId,
      byRound(
        roundIds,
        calls.map(({ round, firstCallMs }) => ({ round, value: firstCallMs })),
      ),
    ]),
  );
}

export interface Crossover extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly facade: StackAsSet;
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

/** Variants that are compared with the façade of every stack, and not just of their own. */
const acrossStacks = ["chatty", "query"];

/** Compares variants on the same stack, and some with the façade on every stack. Lines are fitted per round; crossings have Fieller's interval. */
export function crossovers(lines: readonly DistanceLine[]): readonly Crossover[] {
  const styles = lines.filter(({ arms: [arm] }) => arm.role === "style");
  const alike = Map.groupBy(styles, ({ arms: [arm] }) =>
    JSON.stringify([arm.study, arm.task, factorKey(arm, distanceFactor)]),
  );
  return [...alike.values()].flatMap((group) => {
    const facades = group.filter(({ arms: [arm] }) => arm.variant === "facade");
    const others = group.filter(({ arms: [arm] }) => !["facade", "together"].includes(arm.variant));
    return others.flatMap((slower) =>
      facades
        .filter(
          ({ arms: [arm] }) => acrossStacks.includes(slower.arms[0].variant) || arm.stack === slower.arms[0].stack,
        )
        .flatMap((faster) => crossoverOf({ slower, faster })),
    );
  });
}
