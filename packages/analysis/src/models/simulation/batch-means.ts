// The interval of a mean of values that follow each other and resemble each other, as response times of one queue do.
import { mean, variance } from "d3-array";
import { twoSidedT } from "../../statistics/student-t.ts";
import type { Interval } from "../../statistics/two-level-bootstrap.ts";

const batches = 30;
/** Shorter batches would resemble each other, and the interval would be too narrow. */
const shortest = 100;

/**
 * The 95 % interval by batch means: values in their order are cut into 30 long batches, whose means hardly depend on each other. A. M. Law,
 * "Simulation Modeling and Analysis" (2015), section 9.5.3. Null for fewer than 3,000 values.
 */
export function batchMeansInterval(values: readonly number[]): Interval | null {
  const length = Math.floor(values.length / batches);
  if (length < shortest) return null;
  const means = Array.from(
    { length: batches },
    (_, batch) => mean(values.slice(batch * length, (batch + 1) * length)) as number,
  );
  const centre = mean(values) as number;
  const halfWidth = twoSidedT(0.95, batches - 1) * Math.sqrt((variance(means) as number) / batches);
  return { low: centre - halfWidth, high: centre + halfWidth };
}
