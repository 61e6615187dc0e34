// Normal random numbers for simulated jobs, by the million.
import type { Random } from "@roundtrip/analysis/statistics";

/** Standard normal draws: the polar method of Marsaglia and Bray, "A Convenient Method for Generating Normal Variables", SIAM Review 6 (1964). */
export function normalSource(random: Random): () => number {
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const kept = spare;
      spare = Number.NaN;
      return kept;
    }
    let x = 0;
    let y = 0;
    let square = 0;
    do {
      x = 2 * random() - 1;
      y = 2 * random() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    spare = y * factor;
    return x * factor;
  };
}
