// The interval of a mean of a few round-level values.
import { mean, variance } from "d3-array";
import { twoSidedT } from "./student-t.ts";
import { minimumRounds, type Interval } from "./two-level-bootstrap.ts";

/** The 95 % t interval of a mean of round-level values; null with too few rounds. */
export function tInterval(values: readonly number[]): Interval | null {
  if (values.length < minimumRounds) return null;
  const centre = mean(values) as number;
  const halfWidth = twoSidedT(0.95, values.length - 1) * Math.sqrt((variance(values) as number) / values.length);
  return { low: centre - halfWidth, high: centre + halfWidth };
}
