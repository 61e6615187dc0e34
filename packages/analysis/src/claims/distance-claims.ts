// What distance does: round trips as measured, from which distance and from how many attributes one façade call is faster, and what stacks would take
// over a distance that was not measured.
import { configurationOf } from "@roundtrip/runs";
import {
  isTooWide,
  type DistanceClaim,
  type RoundTripsClaim,
  type Evidence,
  type BreakEvenClaim,
  type CrossoverClaim,
} from "./claim.ts";
import { ranked } from "./ratio-claims.ts";
import type { BreakEven } from "../comparison/break-even.ts";
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { styleReferences } from "../comparison/stack-pairs.ts";
import { distanceFactor } from "../distance/distance-lines.ts";

/** For each stack and variant, and for its first call. */
export function ofRoundTrips(study: string, task: string, { measured }: Evidence): readonly RoundTripsClaim[] {
  const roles = new Map(measured.arms.map(({ id, role }) => [id, role]));
  return measured.roundTrips
    .filter((row) => row.study === study && row.task === task && roles.get(row.armIds[0] ?? "") === "style")
    .map(({ variant, perCall, low, high, predicted, predictedMost, asPredicted, isFirstCall, armIds, ...row }) => ({
      kind: "round-trips",
      study,
      task,
      strength: low === null ? "open" : "clear",
      armIds,
      variant,
      perCall,
      low,
      high,
      predicted,
      predictedMost,
      asPredicted,
      isFirstCall,
      opensConnections: row.opensConnections,
      tls: row.tls,
    }));
}

/** Stacks whose latencies differ by no more than this share are as good as each other. */
const sameWithin = 0.05;

/** Where `ratio × ms + n × rtt` and `ms + n × rtt` are within 5 %. */
function sameFrom(ms: number, ratio: number, roundTrips: number): number {
  return Math.max(0, (ms * (ratio - 1 - sameWithin)) / (sameWithin * roundTrips));
}

/** The fastest stack of each style over a distance: none if it was measured, if a call opens its own connection, or if limits apply to a round trip. */
export function ofDistance(cell: Cell, evidence: Evidence): readonly DistanceClaim[] {
  const arms = ranked(styleReferences(comparableArms(cell)), evidence);
  const tasks = arms.flatMap(({ id, factors, target }) => {
    const roundTrips = evidence.measured.roundTripsOfTasks.get(id);
    const latency = evidence.summary(id, "latencyMs");
    if (roundTrips === undefined || latency === undefined || factors[distanceFactor] !== undefined) return [];
    return target === undefined ? [{ ms: latency.mean, roundTrips }] : [];
  });
  // A study that measures distances needs none computed.
  if (evidence.measured.arms.some((arm) => arm.study === cell.study && arm.factors[distanceFactor] !== undefined))
    return [];
  const [fastest] = tasks;
  const [first, ...others] = arms;
  if (fastest === undefined || first === undefined || tasks.length < arms.length) return [];
  const highest = others.map(({ id }) => {
    const ratio = evidence.comparison(id, first.id);
    return ratio === undefined || ratio.low === null || isTooWide(ratio) ? Infinity : (ratio.high ?? Infinity);
  });
  const isKnown = others.length > 0 && tasks.every(({ roundTrips }) => roundTrips === fastest.roundTrips);
  const sameFromMs = isKnown ? sameFrom(fastest.ms, Math.max(...highest), fastest.roundTrips) : Infinity;
  return [
    {
      kind: "distance",
      study: cell.study,
      task: cell.task,
      strength: "measured",
      armIds: arms.map(({ id }) => id),
      tasks,
      sameFromMs: Number.isFinite(sameFromMs) ? sameFromMs : null,
    },
  ];
}

/** The smallest level, at least 1, above the crossing's whole interval, or the largest below it; of a façade that is always faster, the first. */
function surelyFrom({ line, levels, facadeAt }: BreakEven): number | null {
  if (line === undefined) return null;
  const [least, most] = [Math.min(...levels), Math.max(...levels)];
  const { at, low, high, side } = line;
  if (at === null) return facadeAt.length === levels.length ? least : null;
  if (low === null || high === null) return null;
  const from = side === "above" ? Math.max(1, Math.floor(high) + 1) : Math.ceil(low) - 1;
  return from >= least && from <= most ? from : null;
}

/** Calls in parallel and in one request are compared as variants. */
const notSwept = ["chatty-parallel", "together"];

/** One claim for each stack, factor and other variant. */
export function ofBreakEvens(study: string, task: string, { measured }: Evidence): readonly BreakEvenClaim[] {
  const rows = measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && !notSwept.includes(row.against),
  );
  const arms = measured.arms.filter((arm) => arm.study === study && arm.task === task);
  return rows.map((row): BreakEvenClaim => {
    const { factor, against, levels, facadeAt, otherAt, line } = row;
    const facades = arms.filter(
      (arm) =>
        arm.variant === "facade" &&
        configurationOf(arm) === configurationOf(row) &&
        Object.entries(row.factors).every(([name, value]) => arm.factors[name] === value),
    );
    const from = surelyFrom(row);
    const isDecided = from !== null || facadeAt.length + otherAt.length > 0;
    return {
      kind: "break-even",
      study,
      task,
      strength: isDecided ? "clear" : "open",
      armIds: facades.map(({ id }) => id),
      factor,
      against,
      levels,
      facadeAt,
      otherAt,
      ...(line === undefined ? {} : { line }),
      from,
    };
  });
}

/** For sequential and for parallel calls, one claim for each pair of stacks. */
export function ofCrossovers(study: string, task: string, { measured }: Evidence): readonly CrossoverClaim[] {
  return measured.crossovers
    .filter((row) => row.study === study && row.task === task)
    .map(({ variant, aboveMs, low, high, always, nearestMs, farthestMs, isClear, armIds }) => ({
      kind: "crossover",
      study,
      task,
      strength: isClear ? "clear" : "open",
      armIds,
      variant,
      aboveMs,
      low,
      high,
      always,
      nearestMs,
      farthestMs,
    }));
}
