// How often change points are found where there is none, and where there is one, on normal noise. Run this file for the figures that decision
// 0186 quotes: `node packages/analysis/test/history/change-point-rates.ts`.
import { randomNormal } from "d3-random";
import { changePointDefaults, changePoints, type ChangePointOptions } from "../../src/history/change-points.ts";
import { randomFrom } from "../../src/statistics/random.ts";

/** Series of `before` values, and `after` more that are `step` standard deviations higher. */
export interface Stepped {
  readonly before: number;
  readonly after: number;
  readonly step: number;
}

/** In how many of these series a change is found. */
export function foundIn(
  { before, after, step }: Stepped,
  series: number,
  options: ChangePointOptions = changePointDefaults,
): number {
  const draw = randomNormal.source(randomFrom(1, "noise"))(0, 1);
  const random = randomFrom(1, "permutations");
  let found = 0;
  for (let done = 0; done < series; done += 1) {
    const values = Array.from({ length: before + after }, (_, index) => draw() + (index < before ? 0 : step));
    if (changePoints(values, options, random).length > 0) found += 1;
  }
  return found;
}

function percent(stepped: Stepped, series: number): string {
  return `${((100 * foundIn(stepped, series)) / series).toFixed(1)} %`;
}

function print(): void {
  const steps = [2, 3, 5];
  const lines = [20, 60].map(
    (before) => `no change in ${before} values: ${percent({ before, after: 0, step: 0 }, 5_000)}`,
  );
  lines.push(`before, after: steps of ${steps.join(", ")} standard deviations`);
  for (const before of [8, 20, 50]) {
    for (const after of [3, 5, 10]) {
      lines.push(`${before}, ${after}: ${steps.map((step) => percent({ before, after, step }, 400)).join(", ")}`);
    }
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

if (import.meta.main) print();
