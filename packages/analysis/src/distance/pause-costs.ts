// The cost of a pause for the next call: the same call after a pause and directly after another, on equal connections.
import { mean } from "d3-array";
import { factorKey, type Arm } from "@roundtrip/runs";
import { distanceFactor } from "./distance-lines.ts";
import type { MeasuredArms } from "../metrics/garbage.ts";
import { tInterval } from "../statistics/student-t.ts";

export interface PauseCost {
  readonly study: string;
  readonly task: string;
  /** Directly after another call. The other arm differs only in the pause. */
  readonly atOnce: Arm;
  readonly afterPause: Arm;
  readonly atOnceMs: number;
  readonly afterPauseMs: number;
  /** Latency after the pause over latency at once: exp of the mean over rounds of the logarithm. */
  readonly ratio: number;
  /** 95 % interval over rounds (Student's t); null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** The extra wait after the pause, in requested round-trip times; null without a distance. */
  readonly moreRoundTrips: number | null;
  /** The predicted extra wait: flights of a restarted window, in both directions. */
  readonly predictedMore: number;
}

/** Ten segments of 1,448 bytes: RFC 6928, and RFC 2861 for after a pause. */
const initialWindowBytes = 10 * 1_448;

/** Extra flights to send this many bytes when the window starts small and doubles (RFC 5681). */
function flightsMore(bytes: number): number {
  return Math.max(0, Math.ceil(Math.log2(bytes / initialWindowBytes + 1)) - 1);
}

/** Whether a pause resets the window. Not if that is disabled, and not with BBR, whose path model outlasts the pause. */
function restarts({ factors }: Arm): boolean {
  return factors["slowStartAfterIdle"] !== false && factors["congestionControl"] !== "bbr";
}

/** Returns every call measured with and without a pause, in the order of the run. Assumes that transfers are equally large in both directions. */
export function pauseCosts({
  arms,
  summaries,
  distributions,
}: Pick<MeasuredArms, "arms" | "summaries" | "distributions">): readonly PauseCost[] {
  const roundsOf = new Map(distributions.map(({ armId, roundMeansMs }) => [armId, roundMeansMs]));
  const meanOf = (arm: Arm, metric: string): number =>
    summaries.find((row) => row.armId === arm.id && row.metric === metric)?.mean ?? Number.NaN;
  const alike = Map.groupBy(arms, (arm) => JSON.stringify([arm.study, arm.task, arm.stack, factorKey(arm)]));
  return [...alike.values()].flatMap((group): PauseCost | readonly PauseCost[] => {
    const atOnce = group.find(({ variant }) => variant === "at-once");
    const afterPause = group.find(({ variant }) => variant === "after-pause");
    if (atOnce === undefined || afterPause === undefined) return [];
    const before = roundsOf.get(atOnce.id) ?? [];
    const logRatios = (roundsOf.get(afterPause.id) ?? []).flatMap((ms, round) => {
      const other = before[round];
      return other === undefined ? [] : [Math.log(ms / other)];
    });
    if (logRatios.length === 0) return [];
    const interval = tInterval(logRatios);
    const [atOnceMs, afterPauseMs] = [meanOf(atOnce, "latencyMs"), meanOf(afterPause, "latencyMs")];
    const rttMs = atOnce.factors[distanceFactor];
    const { study, task } = atOnce;
    return {
      study,
      task,
      atOnce,
      afterPause,
      atOnceMs,
      afterPauseMs,
      ratio: Math.exp(mean(logRatios) as number),
      low: interval === null ? null : Math.exp(interval.low),
      high: interval === null ? null : Math.exp(interval.high),
      moreRoundTrips: typeof rttMs === "number" && rttMs > 0 ? (afterPauseMs - atOnceMs) / rttMs : null,
      predictedMore: restarts(atOnce) ? 2 * flightsMore(meanOf(atOnce, "wireBytesPerTask") / 2) : 0,
    };
  });
}
