// The test behind a PASS: whether the effect of one cell is smaller than `detect`.
import { mean } from "d3-array";
import { createBoundary } from "./boundary.ts";
import { reachOf, type FlipSums } from "./flip-sums.ts";

export interface CellTestOptions {
  readonly cell: number;
  readonly mostPaths: number;
  /** The effect that a PASS excludes, as a logarithm. */
  readonly centre: number;
  readonly level: number;
}

/**
 * A PASS states that every cell is below `centre`, so each is tested at the whole level. A job with a cell that is not below passes only if that
 * cell's test errs (intersection–union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24 (1982)).
 */
export function createCellTest(sums: FlipSums, { cell, mostPaths, centre, level }: CellTestOptions) {
  const boundary = createBoundary(mostPaths);
  const scratch = new Float64Array(mostPaths);
  let atMost = Infinity;
  return {
    /** Returns the smallest upper bound of the effect at any look so far, as a logarithm. The cell passes when it is below the centre. */
    look(spent: number): number {
      sums.write(scratch, cell, centre, -1);
      const critical = boundary.next(scratch, sums.paths(), level * spent);
      const values = sums.valuesOf(cell);
      if (values.length > 0) atMost = Math.min(atMost, (mean(values) as number) + reachOf(values, critical));
      return atMost;
    },
  };
}

export type CellTest = ReturnType<typeof createCellTest>;
