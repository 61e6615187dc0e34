// A share of jobs in per cent, as a figure with its exact interval.
import type { Figure } from "../measure.ts";
import { exactInterval } from "./exact-interval.ts";

/** @param atMost in per cent; undefined for a share without a target */
export function shareFigure(of: string, count: number, jobs: number, atMost?: number): Figure {
  const { low, high } = exactInterval(count, jobs);
  return { of, value: (100 * count) / jobs, interval: { low: 100 * low, high: 100 * high }, unit: "%", atMost };
}
