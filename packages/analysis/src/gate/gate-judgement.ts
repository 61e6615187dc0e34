// What a gate has to say of a job, as values: how it is put into words is the report's.
import type { GateCell } from "./gate-rounds.ts";

/** `undecided`: more looks are left. `inconclusive`: none is, and neither FAIL nor PASS was reached. */
export type GateState = "fail" | "pass" | "inconclusive" | "undecided";

/** All ratios are head ÷ base: 1.05 is 5 % worse. A figure that cannot be given is NaN; a bound that is not there yet is 0 or Infinity. */
export interface CellJudgement {
  readonly cell: GateCell;
  /** `worse`: a change up to `tolerate` is refuted. `not-worse`: a change of `detect` or more is. A cell that is both is `worse`. */
  readonly state: "worse" | "not-worse" | "undecided";
  /** Faster by more than `tolerate`: the interval lies below 1 / (1 + tolerate). Never decides a job. */
  readonly better: boolean;
  /** Rounds that gave this cell a value. */
  readonly rounds: number;
  /** exp of the mean of the rounds' log ratios. */
  readonly ratio: number;
  /** 95 % interval of the ratio, simultaneous over all cells and all looks of the job. */
  readonly low: number;
  readonly high: number;
  /** Standard deviation of the rounds' log ratios: the noise. NaN below two rounds. */
  readonly deviation: number;
  /** exp of the Hodges–Lehmann estimate: a centre that one wild round cannot pull away. */
  readonly pseudoMedian: number;
  /** The upper bound behind a PASS, at 1 − passAlpha for this cell, over all looks: a cell passes when it is below 1 + detect. */
  readonly atMost: number;
  /** The smallest level for the whole job (all cells, all looks until now) at which this cell would have been called worse. */
  readonly adjustedP: number;
  /** The change (0.04 is 4 %) that this job finds with 90 % probability in all its planned rounds, given the noise seen. */
  readonly smallestDetectable: number;
}

export interface GateJudgement {
  readonly state: GateState;
  /** Which look this is, from 1; 0 before the first. */
  readonly look: number;
  /** The rounds that were judged: those of the look, or all there are before the first. */
  readonly rounds: number;
  /** The planned length of the job in rounds. */
  readonly plannedRounds: number;
  /** The part of alpha that may have been spent by now. */
  readonly spentAlpha: number;
  /** Whether so few rounds can refute anything at what is spent: eight have 256 ways to flip, and 1 / 256 may be more than that. */
  readonly canFail: boolean;
  readonly canPass: boolean;
  readonly cells: readonly CellJudgement[];
}

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
