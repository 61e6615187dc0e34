// What need not be measured any further while a job goes on for others.
import type { CellJudgement } from "./gate-judgement.ts";

type Judged = Pick<CellJudgement, "state"> & { readonly cell: Pick<CellJudgement["cell"], "stack"> };

/**
 * Stacks of which no cell is open: each of their cells has refuted what is to be detected, and a refutation at one look stands. Whole stacks, since the tasks of
 * one share its processes. A stack's rounds end by what its own cells showed: cells of others go on as if nothing had been left out, so what a PASS
 * promises of each cell is untouched; that a FAIL keeps its level is simulated (docs/gate.md).
 */
export function settledStacks(cells: readonly Judged[]): ReadonlySet<string> {
  const open = new Set(cells.flatMap(({ cell, state }) => (state === "not-worse" ? [] : [cell.stack])));
  return new Set(cells.flatMap(({ cell: { stack } }) => (open.has(stack) ? [] : [stack])));
}
