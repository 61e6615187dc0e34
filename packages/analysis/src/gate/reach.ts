// From a critical value of the self-normalised statistic to the bound that it puts on an effect.
import { mean } from "d3-array";
import { lengthFrom } from "./flip-sums.ts";

/**
 * How far a centre must lie from the mean of `values` for Σ (x − centre) / √ Σ (x − centre)² to be `critical`, in the values' own unit: solved, with
 * u = critical / √n and s the root mean square deviation, that is s · u / √(1 − u²). Infinity where no centre is far enough: the
 * statistic never exceeds √n.
 */
export function reachOf(values: readonly number[], critical: number): number {
  const u = critical / Math.sqrt(values.length);
  if (values.length === 0 || u >= 1) return Infinity;
  if (u <= -1) return -Infinity;
  const deviation = lengthFrom(mean(values) as number, values) / Math.sqrt(values.length);
  return (deviation * u) / Math.sqrt(1 - u * u);
}
