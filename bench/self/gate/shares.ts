// Shares of jobs with their exact intervals, and the rounds after which jobs ended.
import type { Interval } from "@roundtrip/analysis/statistics";
import type { Figure } from "../measure.ts";
import type { JobTally } from "./simulate.ts";

/** P(at most `count` of `trials`). The probability of each is at least `count` / `trials`, so that the last term is the largest. */
function probabilityUpTo(count: number, trials: number, probability: number): number {
  // In logarithms, from the last term downwards: the first terms of 10,000 trials underflow.
  let log = count * Math.log(probability) + (trials - count) * Math.log1p(-probability);
  for (let k = 1; k <= count; k += 1) log += Math.log((trials - count + k) / k);
  let term = Math.exp(log);
  let sum = 0;
  for (let k = count; k >= 0 && term > 0; k -= 1) {
    sum += term;
    term *= (k / (trials - k + 1)) * ((1 - probability) / probability);
  }
  return sum;
}

/** The share at which at most `count` would be seen with a probability of 2.5 %. */
function upperEnd(count: number, trials: number): number {
  if (count === trials) return 1;
  let low = count / trials;
  let high = 1;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (probabilityUpTo(count, trials, middle) < 0.025) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The exact 95 % interval of a share: Clopper and Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial",
 * Biometrika 26 (1934). Its upper end is above the true share with a probability of at least 97.5 %.
 */
export function exactInterval(count: number, trials: number): Interval {
  return { low: 1 - upperEnd(trials - count, trials), high: upperEnd(count, trials) };
}

/** @param atMost in per cent; undefined for a share without a target */
export function shareFigure(of: string, count: number, jobs: number, atMost?: number): Figure {
  const { low, high } = exactInterval(count, jobs);
  return { of, value: (100 * count) / jobs, interval: { low: 100 * low, high: 100 * high }, unit: "%", atMost };
}

/** The smallest number of rounds after which at least this share of the jobs had ended. */
export function roundsToVerdict({ jobs, endedAfter }: Pick<JobTally, "jobs" | "endedAfter">, part: number): number {
  const ended = Object.entries(endedAfter)
    .map(([rounds, count]) => ({ rounds: Number(rounds), count }))
    .toSorted((left, right) => left.rounds - right.rounds);
  let done = 0;
  for (const { rounds, count } of ended) {
    done += count;
    if (done >= part * jobs) return rounds;
  }
  return ended.at(-1)?.rounds ?? 0;
}
