// How well a share is known that was counted in so many jobs.
import type { Interval } from "@roundtrip/analysis/statistics";

/** P(at most `count` of `trials`), each with this probability. */
function atMost(count: number, trials: number, probability: number): number {
  if (probability <= 0) return 1;
  if (probability >= 1) return count >= trials ? 1 : 0;
  // From the term of `count` downwards, in logarithms: the first terms of 10,000 trials are too small to be numbers.
  let log = 0;
  for (let k = 1; k <= count; k += 1) log += Math.log((trials - count + k) / k);
  log += count * Math.log(probability) + (trials - count) * Math.log1p(-probability);
  let term = Math.exp(log);
  let sum = 0;
  for (let k = count; k >= 0 && (term > 0 || k === count); k -= 1) {
    sum += term;
    term *= (k / (trials - k + 1)) * ((1 - probability) / probability);
  }
  return Math.min(1, sum);
}

function solve(isAbove: (probability: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The exact 95 % interval of a share: Clopper and Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial", Biometrika 26
 * (1934). Its upper end is above the true share with a probability of 97.5 % or more.
 */
export function exactInterval(count: number, trials: number): Interval {
  return {
    low: count === 0 ? 0 : solve((p) => 1 - atMost(count - 1, trials, p) > 0.025),
    high: count === trials ? 1 : solve((p) => atMost(count, trials, p) < 0.025),
  };
}
