// Tests whether rounds resemble the rounds before them. The gate's tests assume that they do not.
import { mean } from "d3-array";
import { lengthFrom } from "./flip-sums.ts";
import { checkGateRounds, type GateRounds } from "./gate-judgement.ts";
import type { Warning } from "../warnings/warning.ts";
import { randomFrom, type Random } from "../statistics/random.ts";

export interface RoundDependence {
  /** Lag-1 autocorrelation, mean over cells. NaN below three rounds. */
  readonly correlation: number;
  /** Share of random orders of the same rounds with at least this correlation. */
  readonly probability: number;
  /** Whether that share is at most 1 %: error probabilities and intervals are then too optimistic. */
  readonly isNoticed: boolean;
}

const orders = 1_000;
const noticedAt = 0.01;

function resemblance(columns: readonly Float64Array[], order: readonly number[]): number {
  let sum = 0;
  for (const column of columns) {
    for (let place = 1; place < order.length; place += 1) {
      sum += (column[order[place - 1] as number] as number) * (column[order[place] as number] as number);
    }
  }
  return columns.length === 0 ? Number.NaN : sum / columns.length;
}

/** Fisher and Yates. */
function shuffle(order: number[], random: Random): void {
  for (let place = order.length - 1; place > 0; place -= 1) {
    const other = Math.floor(random() * (place + 1));
    [order[place], order[other]] = [order[other] as number, order[place] as number];
  }
}

/**
 * A permutation test of all cells together: independent rounds are exchangeable (Wald and Wolfowitz, "An Exact Test for Randomness in the
 * Non-Parametric Case Based on Serial Correlation", Annals of Mathematical Statistics 14 (1943)). It reorders whole rounds, so cells may correlate. A
 * round that a cell lacks counts as the cell's mean. Throws what `judge` throws for rounds.
 */
export function roundDependence(rounds: GateRounds, seed: number): RoundDependence {
  checkGateRounds(rounds);
  const count = rounds.values.length;
  const columns = rounds.cells.flatMap((_, cell) => {
    const given = rounds.values.map((round) => round[cell] ?? Number.NaN);
    const known = given.filter(Number.isFinite);
    const centre = mean(known) ?? 0;
    const length = lengthFrom(centre, known);
    // A cell without scatter has no correlation.
    if (length === 0) return [];
    return [Float64Array.from(given, (value) => (Number.isFinite(value) ? (value - centre) / length : 0))];
  });
  if (count < 3 || columns.length === 0) return { correlation: Number.NaN, probability: 1, isNoticed: false };
  const order = rounds.values.map((_, round) => round);
  const correlation = resemblance(columns, order);
  const random = randomFrom(seed, "order of rounds");
  let asMuch = 1;
  for (let drawn = 1; drawn < orders; drawn += 1) {
    shuffle(order, random);
    if (resemblance(columns, order) >= correlation - 1e-12) asMuch += 1;
  }
  const probability = asMuch / orders;
  return { correlation, probability, isNoticed: probability <= noticedAt };
}

export function dependenceWarnings(rounds: GateRounds, seed: number): readonly Warning[] {
  if (rounds.cells.length === 0) return [];
  const { correlation, isNoticed } = roundDependence(rounds, seed);
  if (!isNoticed) return [];
  const message =
    `rounds resemble the ones before them (autocorrelation ${correlation.toFixed(2)}): something outside lasts longer than a round, ` +
    "and intervals and error rates are worse than they say; measure on a quieter machine";
  return [{ code: "rounds-resemble", message }];
}
