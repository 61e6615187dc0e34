// Student's t: the interval of a mean over rounds, the unit of replication.
import { mean, variance } from "d3-array";
import { AnalysisError } from "../basics/analysis-error.ts";

/** The fewest rounds for an interval of one arm: with five, all rounds fall on one side of the truth by chance once in sixteen (2 · 2⁻⁵ > 5 %). */
export const minimumRounds = 6;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Block values (means, costs per task) of one arm by round; a round may have none. */
export type ValuesByRound = readonly (readonly number[])[];

/** P(|T| ≤ √ν · tan(angle)) for ν degrees of freedom: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4. */
function twoSidedProbability(angle: number, degrees: number): number {
  const cosine = Math.cos(angle);
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let factor = odd ? 2 : 1; factor <= degrees - 3; factor += 2) {
    term *= (factor / (factor + 1)) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/** The t that |T| exceeds with probability 1 − `confidence`, in [0, 1). `degrees` is an integer from 1. Otherwise throws `bad-option`. */
export function twoSidedT(confidence: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1 || !(confidence >= 0 && confidence < 1)) {
    throw new AnalysisError("bad-option", `no t for confidence ${confidence} with ${degrees} degrees of freedom`);
  }
  let [low, high] = [0, Math.PI / 2];
  // Bisection of the angle to double precision.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.sqrt(degrees) * Math.tan(middle);
    if (twoSidedProbability(middle, degrees) < confidence) low = middle;
    else high = middle;
  }
}

/** The t interval of a mean of round-level values; null below `fewest` rounds. @param confidence 0.95 unless it shares an error rate with others */
export function tInterval(
  values: readonly number[],
  confidence = 0.95,
  fewest: number = minimumRounds,
): Interval | null {
  if (values.length < fewest) return null;
  const centre = mean(values) as number;
  const halfWidth = twoSidedT(confidence, values.length - 1) * Math.sqrt((variance(values) as number) / values.length);
  return { low: centre - halfWidth, high: centre + halfWidth };
}

/** The means of the blocks of each round that has any, in round order. */
export function meansOfRounds(rounds: ValuesByRound): readonly number[] {
  return rounds.flatMap((blocks) => (blocks.length === 0 ? [] : [mean(blocks) as number]));
}
