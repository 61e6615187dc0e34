// The difference of two arms within a round, where drift and noisy neighbours affect both equally.

/** Block values of one arm: one row per round, its values by turn. */
export type ValuesByTurn = readonly ReadonlyMap<number, number>[];

export interface Pairing {
  /** For each round the centre over pairs of ln(numerator / denominator); NaN without a pair. */
  readonly logRatios: readonly number[];
  /** Pairs left out because one side has no value for a turn that it has in other rounds, by the side that lacks it. */
  readonly missing: { readonly numerator: number; readonly denominator: number };
  /** Pairs left out because a value is not above 0, by that side: a ratio to 0 is undefined. */
  readonly zero: { readonly numerator: number; readonly denominator: number };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function turnsOfAnyRound(values: ValuesByTurn): ReadonlySet<number> {
  return new Set(values.flatMap((byTurn) => [...byTurn.keys()]));
}

/** Pairs the blocks of two arms by round and turn; turns that only one of them ever has are not compared. @param centre of a round's pairs, at least one; by default their mean */
export function pairedLogRatios(
  numerator: ValuesByTurn,
  denominator: ValuesByTurn,
  centre: (logRatios: readonly number[]) => number = mean,
): Pairing {
  const missing = { numerator: 0, denominator: 0 };
  const zero = { numerator: 0, denominator: 0 };
  const rounds = Math.max(numerator.length, denominator.length);
  const known = turnsOfAnyRound(denominator);
  const turns = [...turnsOfAnyRound(numerator)].filter((turn) => known.has(turn));
  const logRatios = Array.from({ length: rounds }, (_, round) => {
    const above = numerator[round] ?? new Map<number, number>();
    const below = denominator[round] ?? new Map<number, number>();
    const pairs: number[] = [];
    for (const turn of turns) {
      const one = above.get(turn);
      const other = below.get(turn);
      if (one === undefined && other === undefined) continue;
      if (one === undefined) missing.numerator += 1;
      else if (other === undefined) missing.denominator += 1;
      else if (one <= 0) zero.numerator += 1;
      else if (other <= 0) zero.denominator += 1;
      else pairs.push(Math.log(one) - Math.log(other));
    }
    return pairs.length === 0 ? Number.NaN : centre(pairs);
  });
  return { logRatios, missing, zero };
}
