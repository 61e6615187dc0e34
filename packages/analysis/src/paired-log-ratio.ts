// The difference of two arms as it is seen inside one round, where drift and noisy neighbours hit both alike.
import type { Rounds } from "./two-level-bootstrap.ts";

/**
 * For each round the mean over blocks of ln(numerator / denominator), the i-th block of one with the i-th of the other; NaN for
 * rounds in which one of the two has nothing to compare. Block values must be above 0.
 */
export function pairedLogRatios(numerator: Rounds, denominator: Rounds): readonly number[] {
  return Array.from({ length: Math.max(numerator.length, denominator.length) }, (_, round) => {
    const above = numerator[round] ?? [];
    const below = denominator[round] ?? [];
    const pairs = Math.min(above.length, below.length);
    let sum = 0;
    for (let block = 0; block < pairs; block += 1) {
      sum += Math.log(above[block] as number) - Math.log(below[block] as number);
    }
    return sum / pairs;
  });
}
