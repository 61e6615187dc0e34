// Random choices of a mutation, repeated by a seed.
import { randomFrom as numbersFrom } from "@roundtrip/analysis/statistics";

export interface Random {
  /** A whole number from 0 to `end`, excluding `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  const draw = numbersFrom(seed, "fuzz");
  const below = (end: number): number => Math.floor(draw() * end);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}
