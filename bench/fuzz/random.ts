// What to break, and how: choices that follow from a seed.
import { randomFrom as numbersFrom } from "@roundtrip/analysis/statistics";

export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  const draw = numbersFrom(seed, "fuzz");
  const below = (end: number): number => Math.floor(draw() * end);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}
