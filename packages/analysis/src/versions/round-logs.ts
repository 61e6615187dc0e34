// The logarithm of an arm's metric in each round, for ratios.
import { mean } from "d3-array";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { answeredTasks } from "../metrics/answered.ts";
import type { RunFacts } from "@roundtrip/runs";

/** The metrics by which versions are compared. More is worse. */
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

/** By arm and round: ln of the mean of the round's blocks, for rounds with a mean above 0. */
export function roundLogs(
  facts: RunFacts,
  calls: GatheredCalls,
  metric: ComparedMetric,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  return new Map(
    [...valuesOf(facts, calls, metric)].map(([armId, values]) => {
      const kept = values.filter(({ value }) => Number.isFinite(value));
      const rounds = [...Map.groupBy(kept, ({ round }) => round)].map(
        ([round, some]) => [round, Math.log(mean(some, ({ value }) => value) as number)] as const,
      );
      return [armId, new Map(rounds.filter(([, log]) => Number.isFinite(log)))];
    }),
  );
}
