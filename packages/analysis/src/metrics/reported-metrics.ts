// Where the time of calls went whose answers report it: before they were served, while they were, and the rest, which is transport.
import type { RowMetric } from "./row-metrics.ts";
import type { Samples } from "../run/run-facts.ts";

/**
 * The two times that answers report, and what is left of the time from a call's start to its end: the network, the style, and the wait for a
 * processor at both ends.
 */
export function reportedMetrics({ queueNs, serviceNs, startedAtNs, endedAtNs }: Samples): readonly RowMetric[] {
  const queuedNs = (row: number): number => queueNs?.[row] ?? Number.NaN;
  const servedNs = (row: number): number => serviceNs?.[row] ?? Number.NaN;
  const lastedNs = (row: number): number => (endedAtNs[row] as number) - (startedAtNs[row] as number);
  return [
    { metric: "queueMs", value: (row) => queuedNs(row) / 1e6 },
    { metric: "serviceMs", value: (row) => servedNs(row) / 1e6 },
    { metric: "transportMs", value: (row) => (lastedNs(row) - (queuedNs(row) + servedNs(row))) / 1e6 },
  ];
}
