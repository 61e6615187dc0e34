// The ratio of two arms within a round, where drift and noisy neighbours affect both equally.
import { mean } from "d3-array";

/** Block values of one arm: one row per round, its values by turn. */
export type ValuesByTurn = readonly ReadonlyMap<number, number>[];

interface BlockPairs {
  /** For each round the values of paired turns: the first of one side belongs to the first of the other. */
  readonly rounds: readonly { readonly numerator: readonly number[]; readonly denominator: readonly number[] }[];
  /** Turns without a pair: a side has no value there, as in other rounds, or one that is not above 0, to which there is no ratio. */
  readonly leftOut: number;
}

export interface Pairing extends Pick<BlockPairs, "leftOut"> {
  /** For each round ln(numerator / denominator) of the round's means; NaN where a side has no block. */
  readonly logRatios: readonly number[];
}

function turnsOfAnyRound(values: ValuesByTurn): ReadonlySet<number> {
  return new Set(values.flatMap((byTurn) => [...byTurn.keys()]));
}

/** Pairs the blocks of two arms by round and turn, without turns that only one of them ever has. */
export function blockPairs(numerator: ValuesByTurn, denominator: ValuesByTurn): BlockPairs {
  let leftOut = 0;
  const known = turnsOfAnyRound(denominator);
  const turns = [...turnsOfAnyRound(numerator)].filter((turn) => known.has(turn));
  const rounds = Array.from({ length: Math.max(numerator.length, denominator.length) }, (_, round) => {
    const pairs: { readonly numerator: number[]; readonly denominator: number[] } = { numerator: [], denominator: [] };
    for (const turn of turns) {
      const [above, below] = [numerator[round]?.get(turn), denominator[round]?.get(turn)];
      if (above === undefined && below === undefined) continue;
      if (above === undefined || below === undefined || above <= 0 || below <= 0) leftOut += 1;
      else {
        pairs.numerator.push(above);
        pairs.denominator.push(below);
      }
    }
    return pairs;
  });
  return { rounds, leftOut };
}

/** The values above 0 of turns that the other arm never has, for each round. */
function furtherBlocks(values: ValuesByTurn, other: ValuesByTurn): readonly (readonly number[])[] {
  const known = turnsOfAnyRound(other);
  return values.map((byTurn) => [...byTurn].flatMap(([turn, value]) => (known.has(turn) || value <= 0 ? [] : [value])));
}

/**
 * Compares the mean of an arm's blocks with that of another in each round. A block that is missing on one side removes its partner: drift inside a
 * round affects both equally. An arm with more blocks than the other, as the façade's, uses all of them in rounds with a pair. The ratio is that of
 * means, not the mean of block ratios: a burst of fixed length adds the same share to the mean of short and of long blocks, but less to the mean
 * logarithm of short ones (docs/decisions/0041).
 */
export function pairedLogRatios(numerator: ValuesByTurn, denominator: ValuesByTurn): Pairing {
  const { rounds, leftOut } = blockPairs(numerator, denominator);
  const further = {
    numerator: furtherBlocks(numerator, denominator),
    denominator: furtherBlocks(denominator, numerator),
  };
  const logRatios = rounds.map((pairs, round) => {
    if (pairs.numerator.length === 0) return Number.NaN;
    const above = mean([...pairs.numerator, ...(further.numerator[round] ?? [])]) as number;
    const below = mean([...pairs.denominator, ...(further.denominator[round] ?? [])]) as number;
    return Math.log(above) - Math.log(below);
  });
  return { logRatios, leftOut };
}
