// Latency over distance: for every way to call, the straight line of its latency against the measured round-trip time, in each round.
import { mean } from "d3-array";
import { distanceFactor } from "./measured-distance.ts";
import { byRound } from "../metrics/block-values.ts";
import { factorKey } from "../run/arm-factors.ts";
import type { Arm, RunFacts } from "../run/run-facts.ts";
import { lineFit, type Line } from "../statistics/line-fit.ts";
import type { ValuesByRound } from "../statistics/two-level-bootstrap.ts";

/** Arms that differ in their distance alone, near to far, and a line for each round in which all of them were measured. */
export interface DistanceLine {
  readonly arms: readonly [Arm, ...Arm[]];
  /** Which of their latencies: those of all calls but the first, or of the first between fresh processes. */
  readonly of: "calls" | "first call";
  /** Measured round-trip times, in the order of the arms. */
  readonly rttMs: readonly number[];
  /** By round, null where an arm lacks: slope in round trips a task waits for, intercept in ms. */
  readonly lines: readonly (Line | null)[];
}

/**
 * A round's line by least squares. Of the estimators that were tried on the figures of 2009 this is the one that gives the round trips that
 * were published with them (1.02 and 1.98); the median of the slopes of all pairs gives 1.02 and 2.01.
 */
function lineOfRound(rttMs: readonly number[], latencies: readonly ValuesByRound[], round: number): Line | null {
  const points = rttMs.map((x, index) => ({ x, y: mean(latencies[index]?.[round] ?? []) ?? Number.NaN }));
  return points.some(({ y }) => Number.isNaN(y)) ? null : lineFit(points);
}

/** The lines of everything that was measured at two distances or more. */
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
  const alike = Map.groupBy(placed, ({ arm: { study, task, stack, variant }, arm }) =>
    JSON.stringify([study, task, stack, variant, factorKey(arm, distanceFactor)]),
  );
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

/** By arm; an arm without any is missing. */
export function firstCallsIn(
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
