// The input of a gate, for every round and cell the logarithm of head ÷ base, and its judgement as values. The report puts it into words.
import { AnalysisError } from "../basics/analysis-error.ts";

/** A metric that may have become worse, of one task on one stack. More is worse. */
export interface GateCell {
  readonly id: string;
  readonly stack: string;
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly metric: string;
}

export interface GateRounds {
  readonly cells: readonly GateCell[];
  /** `values[r][c]`: ln(head / base) of round r and cell c, the mean over the round's blocks; NaN where the round has no value of the cell. */
  readonly values: readonly (readonly number[])[];
}

/** Throws `no-samples` without cells, and `ragged-columns` for a round without exactly one value per cell. */
export function checkGateRounds({ cells, values }: GateRounds): void {
  if (cells.length === 0) throw new AnalysisError("no-samples", "there is nothing to judge: no cells");
  const ragged = values.findIndex((round) => round.length !== cells.length);
  if (ragged < 0) return;
  throw new AnalysisError(
    "ragged-columns",
    `round ${ragged} has ${values[ragged]?.length} values for ${cells.length} cells`,
  );
}

/** `undecided`: more looks are left. `inconclusive`: the last look reached neither FAIL nor PASS. */
export type GateState = "fail" | "pass" | "inconclusive" | "undecided";

/** Ratios are head ÷ base: 1.05 is 5 % worse. A figure that cannot be computed is NaN; a bound without enough rounds is 0 or Infinity. */
export interface CellJudgement {
  readonly cell: GateCell;
  /** `worse`: a change up to `tolerate` is refuted. `not-worse`: a change of `detect` or more is refuted. A cell that is both is `worse`. */
  readonly state: "worse" | "not-worse" | "undecided";
  /** Faster by more than `tolerate`: the interval lies below 1 / (1 + tolerate). Never decides a job. */
  readonly better: boolean;
  readonly rounds: number;
  /** exp of the mean of the rounds' log ratios. */
  readonly ratio: number;
  /** 95 % interval of the ratio, simultaneous over all cells and all looks of the job. */
  readonly low: number;
  readonly high: number;
  /** Standard deviation of the rounds' log ratios: the noise. NaN below two rounds. */
  readonly deviation: number;
  /** exp of the Hodges–Lehmann estimate, robust against an outlying round. */
  readonly pseudoMedian: number;
  /** The upper bound behind a PASS, at 1 − passAlpha for this cell, over all looks. A cell passes when it is below 1 + detect. */
  readonly atMost: number;
  /** The change (0.04 is 4 %) that all planned rounds find with 90 % probability at this noise. */
  readonly smallestDetectable: number;
}

export interface GateJudgement {
  readonly state: GateState;
  /** 1-based; 0 before the first look. */
  readonly look: number;
  /** The judged rounds: those of the look, or all rounds before the first look. */
  readonly rounds: number;
  readonly plannedRounds: number;
  /** The part of alpha that may be spent so far. */
  readonly spentAlpha: number;
  /** Whether so few rounds can refute anything at the spent level: eight rounds have 256 sign flips, and 1 / 256 may exceed it. */
  readonly canFail: boolean;
  readonly canPass: boolean;
  readonly cells: readonly CellJudgement[];
}

type Judged = Pick<CellJudgement, "state"> & { readonly cell: Pick<CellJudgement["cell"], "stack"> };

/**
 * Returns the stacks whose cells have all refuted a change of `detect`; a refutation at one look is final. Whole stacks, because the tasks of a stack
 * share its processes. A stack's rounds end by its own cells only, so the PASS guarantee of other cells is unchanged. A simulation shows that a FAIL
 * keeps its level (docs/gate.md).
 */
export function passedStacks(cells: readonly Judged[]): ReadonlySet<string> {
  const open = new Set(cells.flatMap(({ cell, state }) => (state === "not-worse" ? [] : [cell.stack])));
  return new Set(cells.flatMap(({ cell: { stack } }) => (open.has(stack) ? [] : [stack])));
}
