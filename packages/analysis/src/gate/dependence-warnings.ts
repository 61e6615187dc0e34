// The warning for a job whose rounds resemble each other: its verdict is less certain than stated.
import type { Warning } from "../run/run-facts.ts";
import type { GateRounds } from "./gate-rounds.ts";
import { roundDependence } from "./round-dependence.ts";

export function dependenceWarnings(rounds: GateRounds, seed: number): readonly Warning[] {
  if (rounds.cells.length === 0) return [];
  const { correlation, isNoticed } = roundDependence(rounds, seed);
  if (!isNoticed) return [];
  const message =
    `rounds resemble the ones before them (autocorrelation ${correlation.toFixed(2)}): something outside lasts longer than a round, ` +
    "and intervals and error rates are worse than they say; measure on a quieter machine";
  return [{ code: "rounds-resemble", message }];
}
