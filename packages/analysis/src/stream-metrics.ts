// What is known of calls that read a stream of answers beside their latency: how long until the first bytes, and how often they then paused.
import { mean } from "d3-array";
import { byRound } from "./block-values.ts";
import { sortedCopy } from "./describe-samples.ts";
import type { Metric } from "./result.ts";
import type { Arm, Samples } from "./run.ts";
import type { Measured } from "./summarise.ts";

/** The streams of one arm in one block. */
interface StreamBlock {
  readonly round: number;
  readonly values: number[];
}

type Blocks = Map<number, StreamBlock>;

function measured(
  armId: string,
  metric: Metric,
  roundIds: readonly number[],
  blocks: readonly StreamBlock[],
): Measured {
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

/**
 * By arm: milliseconds from a call's start to its first message, and its pauses. Calls that failed count for neither: what had come of
 * them is not what was asked for. Arms without streams are left out.
 */
export function streamMetrics(
  arms: readonly Arm[],
  samples: Samples,
  roundIds: readonly number[],
): ReadonlyMap<string, readonly Measured[]> {
  const { firstByteAtNs, pauses, length } = samples;
  if (firstByteAtNs === undefined || pauses === undefined) return new Map();
  const firstBytes = new Map<number, Blocks>();
  const stops = new Map<number, Blocks>();
  const add = (to: Map<number, Blocks>, row: number, value: number): void => {
    const arm = samples.arm[row] as number;
    const round = samples.round[row] as number;
    const key = round * 2 ** 26 + (samples.block[row] as number);
    const blocks = to.get(arm) ?? new Map<number, StreamBlock>();
    to.set(arm, blocks);
    const block = blocks.get(key) ?? { round, values: [] };
    blocks.set(key, block);
    block.values.push(value);
  };
  for (let row = 0; row < length; row += 1) {
    const at = firstByteAtNs[row] as number;
    if (Number.isNaN(at) || samples.outcomes[samples.outcome[row] as number] !== "OK") continue;
    add(firstBytes, row, (at - (samples.startedAtNs[row] as number)) / 1e6);
    add(stops, row, pauses[row] as number);
  }
  return new Map(
    [...firstBytes].flatMap(([arm, blocks]) => {
      const armId = arms[arm]?.id;
      if (armId === undefined) return [];
      const paused = [...(stops.get(arm)?.values() ?? [])];
      return [
        [
          armId,
          [
            measured(armId, "firstByteMs", roundIds, [...blocks.values()]),
            measured(armId, "pausesPerStream", roundIds, paused),
          ],
        ] as const,
      ];
    }),
  );
}
