// What an interval of a ratio says of a loss, by the same two numbers that the gate judges by.
import type { CellState } from "./version-comparison.ts";

/** @param low @param high ends of an interval of head over base; null where there is none. */
export function cellState(
  low: number | null,
  high: number | null,
  { tolerate, detect }: { readonly tolerate: number; readonly detect: number },
): CellState {
  if (low === null || high === null) return "undecided";
  if (low > 1 + tolerate) return "worse";
  if (high < 1 / (1 + tolerate)) return "better";
  return high < 1 + detect ? "not-worse" : "undecided";
}
