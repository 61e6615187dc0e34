// What is known of calls that read a stream of answers beside their latency: how long until the first bytes, and how often they then paused.
import { rowMetrics } from "./row-metrics.ts";
import type { Arm, Samples } from "../run.ts";
import type { Measured } from "../summarise.ts";

/** By arm: milliseconds from a call's start to its first message, and its pauses. Arms without streams are left out. */
export function streamMetrics(
  arms: readonly Arm[],
  samples: Samples,
  roundIds: readonly number[],
): ReadonlyMap<string, readonly Measured[]> {
  const { firstByteAtNs, pauses, startedAtNs } = samples;
  if (firstByteAtNs === undefined || pauses === undefined) return new Map();
  return rowMetrics(arms, samples, roundIds, [
    { metric: "firstByteMs", value: (row) => ((firstByteAtNs[row] as number) - (startedAtNs[row] as number)) / 1e6 },
    {
      metric: "pausesPerStream",
      value: (row) => (Number.isNaN(firstByteAtNs[row]) ? Number.NaN : (pauses[row] as number)),
    },
  ]);
}
