// Repeatable random choices: seeds for the parts of a run, and orders drawn from them.
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A shuffled copy (Fisher and Yates), the same for the same seed. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const generator = xoroshiro128plus(seed);
  const result = [...values];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const drawn = uniformInt(generator, 0, last);
    [result[last], result[drawn]] = [result[drawn] as T, result[last] as T];
  }
  return result;
}

/** Seeds for the parts of a run, far enough apart that no two parts share one. */
export function seedOf(seed: number, ...parts: readonly number[]): number {
  // SplitMix32's mixing step over the parts: https://doi.org/10.1145/2660193.2660195
  return parts.reduce((state, part) => {
    let mixed = (state + Math.imul(part + 1, 0x9e3779b9)) | 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  }, seed | 0);
}
