// What each round says of an arm's metric, as the logarithm that ratios are made of.
import { mean } from "d3-array";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { answeredTasks } from "../metrics/answered.ts";
import type { RunFacts } from "../run/run-facts.ts";

/** The metrics that versions are compared by, where more is worse. */
export const comparedMetrics = ["latencyMs", "serverCpuMsPerTask"] as const;
export type ComparedMetric = (typeof comparedMetrics)[number];

interface BlockValue {
  readonly round: number;
  readonly value: number;
}

function valuesOf(facts: RunFacts, calls: GatheredCalls, metric: ComparedMetric): ReadonlyMap<string, BlockValue[]> {
  if (metric === "latencyMs") {
    return new Map(
      calls.tasks.map(({ armId, blocks }) => [
        armId,
        blocks.map(({ round, latenciesMs }) => ({ round, value: mean(latenciesMs) ?? Number.NaN })),
      ]),
    );
  }
  const blocks = Map.groupBy(facts.blocks, ({ armId }) => armId);
  return new Map(
    [...blocks].map(([armId, some]) => [
      armId,
      some.map((block) => ({
        round: block.round,
        value: (block.serverCpuMs ?? Number.NaN) / (answeredTasks(block) ?? Number.NaN),
      })),
    ]),
  );
}

/**
 * For each arm the mean over a round's blocks of ln(value), one number for every round in which the arm has a value above 0, by round.
 */
export function roundLogs(
  facts: RunFacts,
  calls: GatheredCalls,
  metric: ComparedMetric,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  return new Map(
    [...valuesOf(facts, calls, metric)].map(([armId, values]) => {
      const kept = values.filter(({ value }) => value > 0 && Number.isFinite(value));
      const rounds = Map.groupBy(kept, ({ round }) => round);
      return [
        armId,
        new Map([...rounds].map(([round, some]) => [round, mean(some, ({ value }) => Math.log(value)) as number])),
      ];
    }),
  );
}
