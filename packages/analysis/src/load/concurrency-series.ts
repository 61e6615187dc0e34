// Round trips of several callers who think, beside what mean value analysis makes of the demands that one caller was seen to have.
import { deviation } from "d3-array";
import { factorKey } from "../run/arm-factors.ts";
import { garbageTogether, type MeasuredArms } from "../metrics/garbage.ts";
import type { Metric } from "../metrics/summary.ts";
import type { Arm } from "../run/run-facts.ts";
import {
  callDemands,
  callersRoundTripMs,
  type CallDemands,
  type CallGarbage,
  type SeenDemand,
} from "./call-network.ts";

/** So many callers with so much think time. Times in milliseconds. */
export interface ConcurrencyPoint {
  readonly armId: string;
  readonly callers: number;
  readonly thinkMs: number;
  /** Mean round trip; null where the load was not kept. */
  readonly measuredMs: number | null;
  /** Standard deviation of the means of rounds; null with fewer than two. */
  readonly stddevMs: number | null;
  readonly predictedMs: number;
  /** How far the prediction is from what was measured, as a share of that: 0.1 is a tenth too long. */
  readonly error: number | null;
  /** Whether it was measured to be fed to the model, and so predicts itself. */
  readonly isFed: boolean;
}

/** A demand that one caller was seen to have, and how it called. */
export interface CallerDemand extends SeenDemand {
  readonly calling: "alone" | "at once" | "after pauses";
}

/** One stack as it was set, with one kind of call. */
export interface ConcurrencySeries {
  readonly study: string;
  readonly task: string;
  /** The arm of one caller who does not think. */
  readonly alone: Arm;
  readonly demands: CallDemands;
  /** What one caller's calls take of both processors, by how long these rest before: from no rest, where that was measured, on. */
  readonly seen: { readonly client: readonly CallerDemand[]; readonly server: readonly CallerDemand[] };
  /** Of the caller who does not think, also with several calls at once. */
  readonly garbage: CallGarbage;
  /** By callers, then think time. */
  readonly points: readonly ConcurrencyPoint[];
}

const loadFactors = ["callers", "thinkMs", "thinkTime"];

function seriesKey({ study, task, stack, variant, factors }: Arm): string {
  return JSON.stringify([study, task, stack, variant, factorKey({ factors }, ...loadFactors)]);
}

/** The same call, several of which begin at once. */
function isBurstOf(arm: Arm, alone: Arm): boolean {
  return arm.callsPerTask > alone.callsPerTask && seriesKey({ ...arm, variant: alone.variant }) === seriesKey(alone);
}

interface Placed {
  readonly arm: Arm;
  readonly callers: number;
  readonly thinkMs: number;
}

function placed(arm: Arm): readonly Placed[] {
  const { callers, thinkMs } = arm.factors;
  if (arm.load?.loop !== "closed" || typeof callers !== "number" || typeof thinkMs !== "number") return [];
  return [{ arm, callers, thinkMs }];
}

/** The mean of a metric of an arm; undefined where it is not known. */
type MeanOf = (arm: Arm, metric: Metric) => number | undefined;

/**
 * What calls take by the rest before them, as one caller shows it: alone, after each of the pauses, and with several calls at once. Rest is
 * what a processor does not spend on a call of the time between two. Of the client, pauses show nothing: it is busy waiting for their end.
 */
function seenDemands(
  alone: Arm,
  group: readonly Placed[],
  bursts: readonly Arm[],
  meanOf: MeanOf,
): ConcurrencySeries["seen"] {
  const seen = (
    { arm, thinkMs }: Pick<Placed, "arm" | "thinkMs">,
    metric: Metric,
    calling: CallerDemand["calling"],
  ): readonly CallerDemand[] => {
    const share = alone.callsPerTask / arm.callsPerTask;
    const [taskMs, takenMs = 0] = [meanOf(arm, "latencyMs"), meanOf(arm, metric)];
    if (taskMs === undefined || !(takenMs > 0)) return [];
    return [{ calling, restMs: Math.max(0, share * (taskMs + thinkMs - takenMs)), demandMs: share * takenMs }];
  };
  const lonely = group.filter(({ arm, callers }) => callers === 1 && arm !== alone);
  const side = (metric: Metric, pauses: readonly Placed[]): readonly CallerDemand[] =>
    [
      ...bursts.flatMap((arm) => seen({ arm, thinkMs: 0 }, metric, "at once")),
      ...seen({ arm: alone, thinkMs: 0 }, metric, "alone"),
      ...pauses.flatMap((one) => seen(one, metric, "after pauses")),
    ].toSorted((one, other) => one.restMs - other.restMs);
  return { client: side("clientCpuMsPerTask", []), server: side("serverCpuMsPerTask", lonely) };
}

/** Every series of which one caller without think time was measured, and others, in the order of the run. */
export function concurrencySeries({
  arms,
  summaries,
  distributions,
  garbage: garbageOfArms,
}: MeasuredArms): readonly ConcurrencySeries[] {
  const rows = new Map(summaries.map((row) => [`${row.armId} ${row.metric}`, row.mean]));
  const meanOf: MeanOf = ({ id }, metric) => rows.get(`${id} ${metric}`);
  const roundsOf = new Map(distributions.map(({ armId, roundMeansMs }) => [armId, roundMeansMs]));
  const all = arms.flatMap(placed);
  const groups = Map.groupBy(all, ({ arm }) => seriesKey(arm));
  return [...groups.values()].flatMap((group): readonly ConcurrencySeries[] => {
    const alone = group.find(({ callers, thinkMs }) => callers === 1 && thinkMs === 0)?.arm;
    if (alone === undefined || group.length < 2) return [];
    const [roundTripMs, clientMs = 0, serverMs = 0] = [
      meanOf(alone, "latencyMs"),
      meanOf(alone, "clientCpuMsPerTask"),
      meanOf(alone, "serverCpuMsPerTask"),
    ];
    if (roundTripMs === undefined || !(clientMs > 0) || !(serverMs > 0)) return [];
    const demands = callDemands(roundTripMs, clientMs, serverMs);
    const bursts = all.flatMap(({ arm, callers, thinkMs }) =>
      callers === 1 && thinkMs === 0 && isBurstOf(arm, alone) ? [arm] : [],
    );
    const seen = seenDemands(alone, group, bursts, meanOf);
    const unthinking = new Set([alone, ...bursts].map(({ id }) => id));
    const collected = garbageOfArms.filter(({ armId }) => unthinking.has(armId));
    const garbage = { client: garbageTogether(collected, "client"), server: garbageTogether(collected, "server") };
    const points = group.map(({ arm, callers, thinkMs }): ConcurrencyPoint => {
      const predictedMs = callersRoundTripMs({ alone: demands, ...seen, garbage }, callers, thinkMs);
      const measuredMs = meanOf(arm, "latencyMs") ?? null;
      return {
        armId: arm.id,
        callers,
        thinkMs,
        measuredMs,
        stddevMs: deviation(roundsOf.get(arm.id) ?? []) ?? null,
        predictedMs,
        error: measuredMs === null ? null : predictedMs / measuredMs - 1,
        isFed: arm === alone,
      };
    });
    const { study, task } = alone;
    const ordered = points.toSorted((one, other) => one.callers - other.callers || one.thinkMs - other.thinkMs);
    return [{ study, task, alone, demands, seen, garbage, points: ordered }];
  });
}
