// How often intervals of two runs miss that nothing differs, by simulation. Run this file for the table:
// `node packages/analysis/test/versions/unpaired-coverage.ts`.
import { randomNormal } from "d3-random";
import { randomFrom, type Random } from "../../src/statistics/random.ts";
import { unpairedRatios } from "../../src/versions/unpaired-ratios.ts";

export interface RunsShape {
  /** Rounds of each run. */
  readonly rounds: number;
  readonly arms: number;
  /** Standard deviation of a round of head over that of base. */
  readonly scatter: number;
  /** Standard normal, or another distribution around 0. */
  readonly noise: (random: Random) => () => number;
}

export const normalNoise = (random: Random): (() => number) => randomNormal.source(random)(0, 1);

/** Student's t with 3 degrees of freedom. */
const heavyNoise = (random: Random): (() => number) => {
  const normal = normalNoise(random);
  return () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
};

/** One round in ten is far slower. */
const spikyNoise = (random: Random): (() => number) => {
  const normal = normalNoise(random);
  return () => normal() + (random() < 0.1 ? 8 * random() : 0);
};

/** Share of comparisons of equal runs in which at least one interval excludes "no difference"; 0.05 is promised. */
export function missRate({ rounds, arms, scatter, noise }: RunsShape, comparisons: number): number {
  const draw = noise(randomFrom(20_26, "unpaired coverage"));
  const run = (scale: number): number[][] => {
    const values = Array.from({ length: rounds }, () => {
      const common = draw();
      return Array.from({ length: arms }, () => scale * (common + draw()));
    });
    return Array.from({ length: arms }, (_, arm) => values.map((round) => round[arm] as number));
  };
  let missed = 0;
  for (let comparison = 0; comparison < comparisons; comparison += 1) {
    const [base, head] = [run(1), run(scatter)];
    const rows = base.map((values, arm) => ({ base: values, head: head[arm] as number[] }));
    const ratios = unpairedRatios(rows, comparison);
    if (ratios.some(({ interval }) => interval !== null && (interval.low > 0 || interval.high < 0))) missed += 1;
  }
  return missed / comparisons;
}

if (import.meta.main) {
  const noises = { normal: normalNoise, "heavy-tailed": heavyNoise, spiky: spikyNoise };
  for (const [name, noise] of Object.entries(noises)) {
    for (const scatter of [1, 3]) {
      const rate = missRate({ rounds: 6, arms: 8, scatter, noise }, 400);
      process.stdout.write(
        `6 and 6 rounds, 8 arms, ${name}, head scatters ${scatter}×: ${(100 * rate).toFixed(1)} %\n`,
      );
    }
  }
}
