// Counts without scatter: calls, round trips, bytes and connections of a task. Any change of one is real, without statistics.
import { median } from "d3-array";
import { callsInSequence } from "../distance/round-trips.ts";
import type { Arm, Block } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { counted, listed } from "../basics/words.ts";
import type { ExactChange } from "./version-comparison.ts";
import { comparedArm, factorsBesideVersion } from "./version-pairs.ts";

export interface CountedArm {
  readonly arm: Arm;
  readonly blocks: readonly Block[];
}

export interface CountedPair {
  readonly id: string;
  readonly base: CountedArm;
  readonly head: CountedArm;
}

type Count = ExactChange["metric"];

const counts: readonly {
  readonly metric: Count;
  readonly words: string;
  readonly of: (one: CountedArm) => number[];
}[] = [
  { metric: "callsPerTask", words: "calls", of: ({ blocks }) => blocks.map(({ calls, tasks }) => calls / tasks) },
  { metric: "roundTripsPerTask", words: "round trips", of: ({ arm }) => [callsInSequence(arm)] },
  {
    metric: "wireBytesPerTask",
    words: "bytes",
    of: ({ blocks }) => byRound(blocks, ({ wireBytes, tasks }) => (wireBytes === null ? null : wireBytes / tasks)),
  },
  {
    metric: "connectionsPerTask",
    words: "connections",
    of: ({ blocks }) => byRound(blocks, ({ connectionsOpened, tasks }) => connectionsOpened / tasks),
  },
];

/** One number per round: the median of its blocks with a value, so that an occasional HTTP/2 ping does not count as bytes of the task. */
function byRound(blocks: readonly Block[], perTask: (block: Block) => number | null): number[] {
  return [...Map.groupBy(blocks, ({ round }) => round).values()].flatMap((some) => median(some, perTask) ?? []);
}

/** Only blocks with tasks and without failed calls: other counts belong to the failure. */
function clean({ arm, blocks }: CountedArm): CountedArm {
  return { arm, blocks: blocks.filter(({ tasks, failedCalls }) => tasks > 0 && failedCalls === 0) };
}

function only(values: readonly number[]): number | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => Math.abs(value - first) < 1e-9) ? first : undefined;
}

/** Returns every count that is constant in base, constant in head, and different; and a warning of those that vary. */
export function exactChanges(pairs: readonly CountedPair[]): {
  readonly exact: readonly ExactChange[];
  readonly warnings: readonly Warning[];
} {
  const varying = new Map<string, number>();
  const exact = pairs.flatMap(({ id, ...pair }) => {
    const [base, head] = [clean(pair.base), clean(pair.head)];
    return counts.flatMap(({ metric, words, of }): readonly ExactChange[] => {
      const [ofBase, ofHead] = [of(base), of(head)];
      if ([base.blocks, head.blocks, ofBase, ofHead].some(({ length }) => length === 0)) return [];
      const [baseCount, headCount] = [only(ofBase), only(ofHead)];
      if (baseCount === undefined || headCount === undefined) {
        varying.set(words, (varying.get(words) ?? 0) + 1);
        return [];
      }
      if (Math.abs(baseCount - headCount) < 1e-9) return [];
      const arm = comparedArm(head.arm, factorsBesideVersion(head.arm));
      return [{ id: `${id} ${metric}`, ...arm, metric, base: baseCount, head: headCount }];
    });
  });
  const variations = [...varying].map(([words, arms]) => `${words} of ${counted(arms, "arm")}`);
  const message = `counts that vary from round to round were not compared: ${listed(variations)}`;
  return { exact, warnings: variations.length === 0 ? [] : [{ code: "counts-vary", message }] };
}
