// What distance does: round trips as measured, and what stacks would take over a distance that was not measured.
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { styleReferences } from "../comparison/stack-pairs.ts";
import { distanceFactor } from "../distance/distance-lines.ts";
import { isTooWide, type DistanceClaim, type RoundTripsClaim } from "./claim.ts";
import type { Evidence } from "./evidence.ts";
import { ranked } from "./ratio-claims.ts";

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

/**
 * The fastest stack of each style over a distance: none where distance was measured, where a call opens its own connection, or where windows and
 * bandwidth limit what a round trip carries.
 */
export function ofDistance(cell: Cell, evidence: Evidence): readonly DistanceClaim[] {
  const arms = ranked(styleReferences(comparableArms(cell)), evidence);
  const tasks = arms.flatMap(({ id, factors, target }) => {
    const roundTrips = evidence.measured.roundTripsOfTasks.get(id);
    const latency = evidence.summary(id, "latencyMs");
    if (roundTrips === undefined || latency === undefined || factors[distanceFactor] !== undefined) return [];
    return target === undefined ? [{ ms: latency.mean, roundTrips }] : [];
  });
  const [fastest] = tasks;
  const [first, ...others] = arms;
  if (fastest === undefined || first === undefined || tasks.length < arms.length) return [];
  const highest = others.map(({ id }) => {
    const { low, high } = evidence.comparison(id, first.id) ?? { low: null, high: null };
    return low === null || high === null || isTooWide(low, high) ? Infinity : high;
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
