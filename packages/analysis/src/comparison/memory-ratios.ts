// How much memory the servers of styles hold against each other: the peaks of each study's first cell, because a server serves all cells.
import type { Arm } from "@roundtrip/runs";
import { mean } from "d3-array";
import { meansOfRounds, type ValuesByRound } from "../statistics/student-t.ts";
import { comparePairs } from "./compare-run.ts";
import type { Comparison } from "./comparison.ts";
import { taskCells } from "./leading-cell.ts";
import { styleReferences } from "./stack-pairs.ts";

/** Every other style against the one whose server has the lowest peak. @param peaksOf in bytes, one value a block, by arm */
export function memoryRatios(
  arms: readonly Arm[],
  peaksOf: ReadonlyMap<string, ValuesByRound>,
  seed: number,
): readonly Comparison[] {
  const meanOf = ({ id }: Arm): number => mean(meansOfRounds(peaksOf.get(id) ?? [])) ?? Number.NaN;
  const cells = Map.groupBy(taskCells(arms), ([first]) => first?.study);
  const pairs = [...cells.values()].flatMap(([cell = []]) => {
    const known = styleReferences(cell).filter((arm) => Number.isFinite(meanOf(arm)));
    const [denominator, ...others] = known.toSorted((one, other) => meanOf(one) - meanOf(other));
    return others.flatMap((numerator) =>
      denominator === undefined ? [] : [{ kind: "stack" as const, numerator, denominator }],
    );
  });
  const turnsOf = new Map(
    [...peaksOf].map(([armId, rounds]) => [armId, rounds.map((blocks) => new Map(blocks.entries()))]),
  );
  return comparePairs(pairs, turnsOf, seed).comparisons;
}
