// How much a choice matters: the variance of its effects over the libraries that were measured, without that of the noise.
import { mean, variance } from "d3-array";
import { type Interval, tInterval } from "../statistics/student-t.ts";

/** Effects of one kind: for each its values by round, which sum to 0 over the effects of a group. */
export interface EffectSeries {
  readonly effects: readonly (readonly number[])[];
  /** Effects that are free to vary. */
  readonly degrees: number;
}

/**
 * The finite-population variance of effects: Gelman, "Analysis of Variance: Why It Is More Important than Ever", Annals of Statistics 33 (2005),
 * section 3.5. Libraries are those that people chose, no sample of others. A mean over R rounds is too far from 0 by the noise, so its square is lowered
 * by s² / R; the result may be below 0.
 */
export function effectVariance({ effects, degrees }: EffectSeries): number {
  const squares = effects.map((values) => (mean(values) as number) ** 2 - (variance(values) ?? 0) / values.length);
  return squares.reduce((sum, square) => sum + square, 0) / degrees;
}

/** A variance of logarithms as the factor by which an effect usually changes a figure; 1 where noise alone gives a variance below 0. */
export function factorOf(varianceOfLogs: number): number {
  return Math.exp(Math.sqrt(Math.max(0, varianceOfLogs)));
}

function withoutRound({ effects, degrees }: EffectSeries, round: number): EffectSeries {
  return { effects: effects.map((values) => values.toSpliced(round, 1)), degrees };
}

/**
 * A 95 % interval of a function of effects by the jackknife over rounds: Efron and Stein, "The Jackknife Estimate of Variance", Annals of Statistics
 * 9 (1981), with Student's t of the pseudo-values (Tukey). Null below six rounds.
 */
export function jackknifeInterval(
  kinds: readonly EffectSeries[],
  statistic: (kinds: readonly EffectSeries[]) => number,
): Interval | null {
  const rounds = kinds[0]?.effects[0]?.length ?? 0;
  const whole = statistic(kinds);
  const pseudoValues = Array.from({ length: rounds }, (_, round) => {
    const others = statistic(kinds.map((kind) => withoutRound(kind, round)));
    return rounds * whole - (rounds - 1) * others;
  });
  return tInterval(pseudoValues);
}
