// Exponentially distributed numbers from a seed: the gaps of independent arrivals, and think times.
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Draws with mean 1, by inversion: −ln(1 − u) for u uniform on [0, 1). */
export function exponentialDraws(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => -Math.log1p(-uniformFloat64(generator));
}
