// Where the time of calls went whose answers tell it: before they were served, while they were, and the rest, which is transport.
import { rowMetrics } from "./row-metrics.ts";
import type { Arm, Samples } from "../run.ts";
import type { Measured } from "../summarise.ts";

/**
 * By arm: the two times that answers told, and what is left of the time from a call's start to its end: the network, the style, and the
 * wait for a processor at both ends. Arms whose answers tell none are left out.
 */
export function reportedMetrics(
  arms: readonly Arm[],
  samples: Samples,
  roundIds: readonly number[],
): ReadonlyMap<string, readonly Measured[]> {
  const { queueNs, serviceNs, startedAtNs, endedAtNs } = samples;
  if (queueNs === undefined || serviceNs === undefined) return new Map();
  const toldNs = (row: number): number => (queueNs[row] as number) + (serviceNs[row] as number);
  return rowMetrics(arms, samples, roundIds, [
    { metric: "queueMs", value: (row) => (queueNs[row] as number) / 1e6 },
    { metric: "serviceMs", value: (row) => (serviceNs[row] as number) / 1e6 },
    {
      metric: "transportMs",
      value: (row) => ((endedAtNs[row] as number) - (startedAtNs[row] as number) - toldNs(row)) / 1e6,
    },
  ]);
}
