// Jobs without a change: how often does the gate still raise an alarm?
import { gateDefaults } from "@roundtrip/analysis/gate";
import { simulatedInWorkers } from "./in-workers.ts";
import { noises } from "./noises.ts";
import { simulatedCells } from "./simulated-job.ts";
import type { JobTally } from "./simulate-jobs.ts";

export interface NullRow extends JobTally {
  readonly noise: string;
  /** How much slower every cell is: 0, or all that is tolerated. */
  readonly effect: number;
}

/** Jobs of equal versions for each kind of noise, and of the hardest kind that the promise of the gate covers, which take longer. */
const nullJobs = { equal: 10_000, tolerated: 2_000 } as const;

/** With a share of the jobs, figures are less accurate, and soon there. */
export async function nullRows(
  seed: number,
  onProgress: (text: string) => void,
  share = 1,
): Promise<readonly NullRow[]> {
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
      withIntervals: false,
    })),
    onProgress,
  );
  return cases.flatMap(({ noise, effect }, index) => {
    const tally = tallies[index];
    return tally === undefined ? [] : [{ ...tally, noise, effect }];
  });
}
