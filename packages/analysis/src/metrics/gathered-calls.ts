// The data that analysis keeps of a run's calls. It is gathered in parts, so that only one part of a long run is in memory.
import { arrivalsByArm, joinArrivals, type Arrivals } from "../calls/arrivals.ts";
import { joinRowValues, reportedMetrics, rowValues, streamMetrics, type RowValues } from "./row-metrics.ts";
import type { RunFacts, Samples } from "@roundtrip/runs";
import { joinOperations, operationsOf, type OperationCalls } from "../calls/operations-of.ts";
import { joinTasks, tasksOf, type ArmTasks } from "../calls/tasks-of.ts";
import { blockSlots } from "../calls/block-slots.ts";
import { joinTraffic, trafficOf, type Traffic } from "../calls/traffic.ts";

/** Of all arms, in their order. */
export interface GatheredCalls {
  readonly length: number;
  readonly tasks: readonly ArmTasks[];
  readonly traffic: readonly Traffic[];
  /** What single calls report beside their latency. */
  readonly rowValues: readonly (readonly RowValues[])[];
  readonly arrivals: Arrivals;
  /** The operations of mixes; empty for other arms. */
  readonly operations: readonly (readonly OperationCalls[])[];
}

type Facts = Pick<RunFacts, "arms" | "blocks">;

/** Linear in the samples. Throws an AnalysisError for invalid samples. */
export function gatherCalls(facts: Facts, samples: Samples): GatheredCalls {
  const { arms } = facts;
  const blocks = blockSlots(arms, samples);
  return {
    length: samples.length,
    tasks: tasksOf(facts, samples, blocks),
    traffic: trafficOf(arms, samples),
    rowValues: rowValues(arms, samples, blocks, [...streamMetrics(samples), ...reportedMetrics(samples)]),
    arrivals: arrivalsByArm(arms, samples, blocks),
    operations: operationsOf(arms, samples),
  };
}

/** Returns what {@link gatherCalls} would return for all parts in one. @param parts at least one; every round must be whole in one part */
export function joinCalls(parts: readonly GatheredCalls[]): GatheredCalls {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    tasks: joinTasks(parts.map(({ tasks }) => tasks)),
    traffic: joinTraffic(parts.map(({ traffic }) => traffic)),
    rowValues: joinRowValues(parts.map(({ rowValues: values }) => values)),
    arrivals: joinArrivals(parts.map(({ arrivals }) => arrivals)),
    operations: joinOperations(parts.map(({ operations }) => operations)),
  };
}

/** @param parts at least one, as read from a run directory. */
export async function gatherParts(facts: Facts, parts: AsyncIterable<Samples>): Promise<GatheredCalls> {
  const gathered: GatheredCalls[] = [];
  for await (const part of parts) gathered.push(gatherCalls(facts, part));
  return joinCalls(gathered);
}
