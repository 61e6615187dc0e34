// The stopping rule of tachometer: https://github.com/google/tachometer (src/runner.ts, stats.ts, defaults.ts), commit 705d648.
import { twoSidedT } from "@roundtrip/analysis/statistics";
import { mean, variance } from "d3-array";
import type { OtherRule } from "./stored-rounds.ts";

/** Its defaults: at least 50 samples of each, then ten more at a time until the interval of the difference excludes 0 %, or the time is up. */
const fewest = 50;
const step = 10;

const quantiles = new Map<number, number>();

function t95(degrees: number): number {
  const kept = quantiles.get(degrees) ?? twoSidedT(0.95, degrees);
  quantiles.set(degrees, kept);
  return kept;
}

/** The 95 % interval of (head − base) / base, from means and variances of unpaired samples (computeDifference in its stats.ts). */
function relativeDifference(base: readonly number[], head: readonly number[]): { low: number; high: number } {
  const size = Math.min(base.length, head.length);
  const [a, b] = [mean(base) ?? Number.NaN, mean(head) ?? Number.NaN];
  const [errorA, errorB] = [(variance(base) ?? 0) / base.length, (variance(head) ?? 0) / head.length];
  const error = Math.sqrt((errorA * b ** 2 + errorB * a ** 2) / a ** 4);
  const margin = t95(size - 1) * error;
  return { low: (b - a) / a - margin, high: (b - a) / a + margin };
}

/** A sample is a fresh start, as a round is; the time is up when there are no more rounds. */
export const tachometer: OtherRule = {
  name: "tachometer: from 50 rounds on, until a 95 % interval is clear of 0",
  judge({ base, head }) {
    const [before, after] = [base.map(({ mean: of }) => of), head.map(({ mean: of }) => of)];
    const most = Math.min(before.length, after.length);
    for (let size = Math.min(fewest, most); ; size = Math.min(size + step, most)) {
      const { low, high } = relativeDifference(before.slice(0, size), after.slice(0, size));
      if (low > 0 || high < 0 || size === most) return { isAlarm: low > 0, rounds: size };
    }
  },
};
