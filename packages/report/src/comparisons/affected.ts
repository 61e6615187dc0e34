// Which arms of a comparison are shown in full, and which are counted and folded.
import type { CellState, ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { armKey } from "./cell-label.ts";

/** One arm with its cells, one a metric. */
export interface ComparedArm {
  readonly cells: readonly ComparedCell[];
  /** The gravest of its cells' states. */
  readonly state: CellState;
}

const gravity: readonly CellState[] = ["worse", "undecided", "better", "not-worse"];

/** Two runs decide little, and still people look at what differs most. */
const largestShown = 8;

/** How far the arm has moved, up or down, as a logarithm. */
export function largestChange({ cells }: ComparedArm): number {
  return Math.max(...cells.map(({ ratio }) => Math.abs(Math.log(ratio))));
}

function mostGrave(arms: readonly ComparedArm[]): readonly ComparedArm[] {
  return arms.toSorted(
    (one, other) =>
      gravity.indexOf(one.state) - gravity.indexOf(other.state) || largestChange(other) - largestChange(one),
  );
}

/** All arms, in the order of the comparison. */
export function armsOf({ cells }: Pick<VersionComparison, "cells">): readonly ComparedArm[] {
  return [...Map.groupBy(cells, armKey).values()].map((some) => ({
    cells: some,
    state: gravity.find((state) => some.some((cell) => cell.state === state)) ?? "undecided",
  }));
}

/** The arms to show, the gravest first, and how they were chosen. */
export interface Affected {
  readonly arms: readonly ComparedArm[];
  /** `changed`: whatever changed, or could not be decided. `largest`: of two runs in which nothing is clear, what differs most. */
  readonly chosen: "changed" | "largest";
  readonly others: readonly ComparedArm[];
}

/** Of a comparison that is judged, arms that are not just unchanged; of two runs, arms that differ clearly or else the most. */
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
