// Metrics that single calls have beside their latency, from columns that only some calls have a value in.
import { mean } from "d3-array";
import { byRound } from "./block-values.ts";
import { sortedCopy } from "../statistics/describe-samples.ts";
import type { Metric } from "../result.ts";
import type { Arm, Samples } from "../run.ts";
import type { Measured } from "../summarise.ts";

/** A metric by the row of its call; NaN where the call has none. */
export interface RowMetric {
  readonly metric: Metric;
  readonly value: (row: number) => number;
}

/** The values of one arm in one block. */
interface RowBlock {
  readonly round: number;
  readonly values: number[];
}

function measured(armId: string, metric: Metric, roundIds: readonly number[], blocks: readonly RowBlock[]): Measured {
  const ofRounds = Map.groupBy(blocks, ({ round }) => round).values();
  return {
    armId,
    metric,
    sorted: sortedCopy(blocks.flatMap(({ values }) => values)),
    means: byRound(
      roundIds,
      blocks.map(({ round, values }) => ({ round, value: mean(values) as number })),
    ),
    rounds: [...ofRounds].map((some) => sortedCopy(some.flatMap(({ values }) => values))),
  };
}

/** By index of the arm, then by round and block. One metric at a time: most columns of a long run are empty. */
function valuesByBlock(samples: Samples, valueOf: RowMetric["value"]): Map<number, Map<number, RowBlock>> {
  const byArm = new Map<number, Map<number, RowBlock>>();
  for (let row = 0; row < samples.length; row += 1) {
    const value = valueOf(row);
    if (Number.isNaN(value) || samples.outcomes[samples.outcome[row] as number] !== "OK") continue;
    const arm = samples.arm[row] as number;
    const round = samples.round[row] as number;
    const key = round * 2 ** 26 + (samples.block[row] as number);
    const blocks = byArm.get(arm) ?? new Map<number, RowBlock>();
    byArm.set(arm, blocks);
    const block = blocks.get(key) ?? { round, values: [] };
    blocks.set(key, block);
    block.values.push(value);
  }
  return byArm;
}

/** By arm. Calls that failed count for nothing: what had come of them is not what was asked for. Arms without a value are left out. */
export function rowMetrics(
  arms: readonly Arm[],
  samples: Samples,
  roundIds: readonly number[],
  metrics: readonly RowMetric[],
): ReadonlyMap<string, readonly Measured[]> {
  const blocksOf = metrics.map(({ value }) => valuesByBlock(samples, value));
  return new Map(
    arms.flatMap(({ id }, arm) => {
      const told = metrics.flatMap(({ metric }, index) => {
        const blocks = blocksOf[index]?.get(arm);
        return blocks === undefined ? [] : [measured(id, metric, roundIds, [...blocks.values()])];
      });
      return told.length === 0 ? [] : [[id, told] as const];
    }),
  );
}
