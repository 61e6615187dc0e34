// Round trips of several callers who think, beside what mean value analysis makes of the demands that one caller was seen to have.
import { deviation } from "d3-array";
import { keyOf } from "../comparison/arm-factors.ts";
import { exactMva } from "../models/exact-mva.ts";
import type { Analysis, Metric } from "../result.ts";
import type { Arm } from "../run.ts";
import { callDemands, callNetwork, type CallDemands } from "./call-network.ts";

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

/** One stack as it was set, with one kind of call. */
export interface ConcurrencySeries {
  readonly study: string;
  readonly task: string;
  /** The arm of one caller who does not think. */
  readonly alone: Arm;
  readonly demands: CallDemands;
  /** By callers, then think time. */
  readonly points: readonly ConcurrencyPoint[];
}

const loadFactors = ["callers", "thinkMs", "thinkTime"];

function seriesKey({ study, task, stack, variant, factors }: Arm): string {
  const held = Object.fromEntries(Object.entries(factors).filter(([name]) => !loadFactors.includes(name)));
  return JSON.stringify([study, task, stack, variant, keyOf(held)]);
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

/** Every series of which one caller without think time was measured, and others, in the order of the run. */
export function concurrencySeries({
  arms,
  summaries,
  distributions,
}: Pick<Analysis, "arms" | "summaries" | "distributions">): readonly ConcurrencySeries[] {
  const rows = new Map(summaries.map((row) => [`${row.armId} ${row.metric}`, row.mean]));
  const meanOf = ({ id }: Arm, metric: Metric): number | undefined => rows.get(`${id} ${metric}`);
  const roundsOf = new Map(distributions.map(({ armId, roundMeansMs }) => [armId, roundMeansMs]));
  const groups = Map.groupBy(arms.flatMap(placed), ({ arm }) => seriesKey(arm));
  return [...groups.values()].flatMap((group): readonly ConcurrencySeries[] => {
    const alone = group.find(({ callers, thinkMs }) => callers === 1 && thinkMs === 0)?.arm;
    if (alone === undefined || group.length < 2) return [];
    const [roundTripMs, clientMs, serverMs] = [
      meanOf(alone, "latencyMs"),
      meanOf(alone, "clientCpuMsPerTask"),
      meanOf(alone, "serverCpuMsPerTask"),
    ];
    if (roundTripMs === undefined || !((clientMs ?? 0) > 0) || !((serverMs ?? 0) > 0)) return [];
    const demands = callDemands(roundTripMs, clientMs ?? 0, serverMs ?? 0);
    const points = group.map(({ arm, callers, thinkMs }): ConcurrencyPoint => {
      const predictedMs = exactMva(callNetwork(demands, callers, thinkMs)).classes[0]?.roundTripMs ?? Number.NaN;
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
    return [{ study, task, alone, demands, points: ordered }];
  });
}
