// The input of a gate: for every round and cell the logarithm of head ÷ base.
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
