// How often the gate fails a version that is not slower, in simulated jobs of six kinds of noise: docs/gate.md.
import { gateDefaults } from "@roundtrip/analysis/gate";
import { simulatedInWorkers } from "../gate/in-workers.ts";
import { shareFigure } from "../gate/shares.ts";
import { noises, simulatedCells, type JobTally } from "../gate/simulate.ts";
import type { Figure, Measure } from "../measure.ts";

interface NullRow extends JobTally {
  readonly noise: string;
  /** How much slower every cell is: 0, or all that is tolerated. */
  readonly effect: number;
}

/** Jobs of equal versions for each kind of noise, and of the hardest kind that the promise of the gate covers, which take longer. */
const nullJobs = { equal: 10_000, tolerated: 2_000 } as const;

/** With a share of the jobs, figures are less accurate, and soon there. */
async function nullRows(seed: number, onProgress: (text: string) => void, share: number): Promise<readonly NullRow[]> {
  const cases = noises.flatMap(({ name: noise }) => [
    { noise, effect: 0, jobs: Math.ceil(share * nullJobs.equal) },
    { noise, effect: gateDefaults.tolerate, jobs: Math.ceil(share * nullJobs.tolerated) },
  ]);
  const tallies = await simulatedInWorkers(
    cases.map(({ noise, effect, jobs }) => ({
      noise,
      effects: simulatedCells.map(() => effect),
      from: 0,
      jobs,
      seed,
    })),
    onProgress,
  );
  return cases.flatMap(({ noise, effect }, index) => {
    const tally = tallies[index];
    return tally === undefined ? [] : [{ ...tally, noise, effect }];
  });
}

/** The promised maximum of the gate for a whole job, in per cent. */
const mostFalseAlarms = 1;

/** The promise excludes correlated rounds: docs/gate.md, "What it assumes". */
const withoutPromise = "autocorrelated";

function figuresOf({ noise, effect, jobs, failed, blocked }: NullRow): readonly Figure[] {
  if (effect === 0)
    return [shareFigure(`${noise}, equal versions: FAIL before confirmation`, failed, jobs, mostFalseAlarms)];
  const tolerated = `${noise}, all cells slower by what is tolerated`;
  return [
    shareFigure(
      `${tolerated}: FAIL before confirmation`,
      failed,
      jobs,
      noise === withoutPromise ? undefined : mostFalseAlarms,
    ),
    shareFigure(`${tolerated}: FAIL, confirmed`, blocked, jobs),
  ];
}

export const measure: Measure = {
  name: "gate-null",
  title: "false alarms of the gate in simulated jobs",
  rounds: 1,
  run: async ({ seed, share, onProgress }) => (await nullRows(seed, onProgress, share)).flatMap(figuresOf),
};
