// The interval of a mean of a few round-level values.
import { mean, variance } from "d3-array";
import { twoSidedT } from "./student-t.ts";
import { minimumRounds, type Interval } from "./two-level-bootstrap.ts";

/**
 * The t interval of a mean of round-level values; null below `fewest` rounds.
 * @param confidence 0.95 unless it shares an error rate with others
 */
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
