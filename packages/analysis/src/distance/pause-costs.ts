// What a pause costs the next call: the same call after one and right after another, on connections that differ in nothing else.
import { mean } from "d3-array";
import { factorKey } from "../run/arm-factors.ts";
import { distanceFactor } from "./measured-distance.ts";
import type { MeasuredArms } from "../metrics/garbage.ts";
import type { Arm } from "../run/run-facts.ts";
import { tInterval } from "../statistics/student-t.ts";

/** The same call in both circumstances. */
export interface PauseCost {
  readonly study: string;
  readonly task: string;
  /** The call right after another; the other arm differs in the pause alone. */
  readonly atOnce: Arm;
  readonly afterPause: Arm;
  readonly atOnceMs: number;
  readonly afterPauseMs: number;
  /** Latency after the pause over latency at once: exp of the mean over rounds of the logarithm. */
  readonly ratio: number;
  /** 95 % interval over rounds (Student's t); null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** What is waited for more after the pause, in round-trip times that were asked for; null without a distance. */
  readonly moreRoundTrips: number | null;
  /** The same from first principles: flights of a window that begins small again, in both directions. */
  readonly predictedMore: number;
}

/** RFC 6928, and RFC 2861 for after a pause: ten segments of 1,448 bytes. */
const initialWindowBytes = 10 * 1_448;

/** Flights more than one that it takes to send so many bytes when the window begins small and doubles (RFC 5681). */
function flightsMore(bytes: number): number {
  return Math.max(0, Math.ceil(Math.log2(bytes / initialWindowBytes + 1)) - 1);
}

/** Whether a pause takes the window back: not where that is switched off, and not under BBR, whose model of the way outlasts it. */
function restarts({ factors }: Arm): boolean {
  return factors["slowStartAfterIdle"] !== false && factors["congestionControl"] !== "bbr";
}

/** Every call that was measured both ways, in the order of the run. A transfer is taken to be as large in one direction as in the other. */
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
