// Latency over distance: for every variant and round, the line of its latency against the measured round-trip time of its link,
// not the requested one.
import { seriesKey, type Arm, type Environment, type RunFacts } from "@roundtrip/runs";
import { mean } from "d3-array";
import { byRound } from "../metrics/block-values.ts";
import { type Line, lineFit } from "../statistics/line-fit.ts";
import type { ValuesByRound } from "../statistics/student-t.ts";

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
