// Bounds of every closed network from its demands: the maximum rate of its busiest station, and the callers from which it limits.
import { AnalysisError } from "../basics/analysis-error.ts";
import type { ClosedNetwork, Station } from "./closed-network.ts";

export interface AsymptoticBounds {
  /** The station with the largest demand; null for a network of delays. */
  readonly bottleneck: string | null;
  /** The maximum round trips per second of that station; null without a bottleneck. */
  readonly ceilingHz: number | null;
  /** Callers that would keep the bottleneck busy if they never met: N* = (Z + Σ D) / D max; null without a bottleneck. */
  readonly knee: number | null;
}

function demandMs({ demands }: Station): number {
  return demands[0]?.demandMs ?? 0;
}

/**
 * Bounds of a network with one class: P. J. Denning, J. P. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10
 * (1978). Throws `bad-option` for several classes, whose bounds depend on each other.
 */
export function asymptoticBounds({ classes, stations }: ClosedNetwork): AsymptoticBounds {
  const [only] = classes;
  if (only === undefined || classes.length > 1) {
    throw new AnalysisError("bad-option", `bounds are known for one class, and this network has ${classes.length}`);
  }
  const queues = stations.filter((station) => station.kind === "queue" && demandMs(station) > 0);
  const [busiest] = queues.toSorted((a, b) => demandMs(b) - demandMs(a));
  if (busiest === undefined) return { bottleneck: null, ceilingHz: null, knee: null };
  const largest = demandMs(busiest);
  const cycleMs = stations.reduce((sum, station) => sum + demandMs(station), only.thinkMs);
  return { bottleneck: busiest.name, ceilingHz: 1_000 / largest, knee: cycleMs / largest };
}
