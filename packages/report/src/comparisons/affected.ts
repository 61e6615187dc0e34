// Selects the arms of a comparison to show in full; the others are counted and folded.
import type { CellState, ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { armKey } from "./cell-label.ts";

/** One arm with its cells, one per metric. */
export interface ComparedArm {
  readonly cells: readonly ComparedCell[];
  readonly state: CellState;
}

const gravity: readonly CellState[] = ["worse", "undecided", "better", "not-worse"];

/** Two runs decide little, but readers still look at the largest differences. */
const largestShown = 8;

/** The arm's largest change in either direction, as a logarithm. */
export function largestChange({ cells }: ComparedArm): number {
  return Math.max(...cells.map(({ ratio }) => Math.abs(Math.log(ratio))));
}

function mostGrave(arms: readonly ComparedArm[]): readonly ComparedArm[] {
  return arms.toSorted(
    (one, other) =>
      gravity.indexOf(one.state) - gravity.indexOf(other.state) || largestChange(other) - largestChange(one),
  );
}

export function armsOf({ cells }: Pick<VersionComparison, "cells">): readonly ComparedArm[] {
  return [...Map.groupBy(cells, armKey).values()].map((some) => ({
    cells: some,
    state: gravity.find((state) => some.some((cell) => cell.state === state)) ?? "undecided",
  }));
}

export interface Affected {
  readonly arms: readonly ComparedArm[];
  /** `changed`: changed or undecided arms. `largest`: the largest differences of two runs without a clear change. */
  readonly chosen: "changed" | "largest";
  readonly others: readonly ComparedArm[];
}

/** Selects the arms of a comparison that are not just unchanged; for two runs, clear changes or else the largest. */
export function affected(comparison: VersionComparison): Affected {
  const arms = armsOf(comparison);
  const isJudged = comparison.kind === "side-by-side";
  const isShown = ({ state }: ComparedArm): boolean =>
    state === "worse" || state === "better" || (isJudged && state === "undecided");
  const shown = mostGrave(arms.filter(isShown));
  if (shown.length > 0 || isJudged) {
    return { arms: shown, chosen: "changed", others: arms.filter((arm) => !isShown(arm)) };
  }
  const ordered = mostGrave(arms).toSorted((one, other) => largestChange(other) - largestChange(one));
  return { arms: ordered.slice(0, largestShown), chosen: "largest", others: ordered.slice(largestShown) };
}
