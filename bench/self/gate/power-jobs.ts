// Jobs with a change: how often, how soon and with which intervals does the gate find it?
import { simulatedInWorkers } from "./in-workers.ts";
import { noises } from "./noises.ts";
import { simulatedCells, type SimulatedMetric } from "./simulated-job.ts";
import type { JobTally } from "./simulate-jobs.ts";

export interface PowerRow extends JobTally {
  readonly noise: string;
  readonly metric: SimulatedMetric;
  /** How many tasks of the stack change: one or both. */
  readonly tasks: number;
  /** The change of these cells; negative for a speed-up. */
  readonly effect: number;
}

const changes = [0.02, 0.03, 0.05, 0.08, 0.12, 0.2, -0.05, -0.1, -0.2] as const;
const metrics = ["serverCpuMsPerTask", "latencyMs"] as const satisfies readonly SimulatedMetric[];

/** Jobs per row, and for the change that the gate is designed to find. */
const powerJobs = { each: 250, detect: 500 } as const;

const detected = 0.05;

/** Changes the first cells of this metric in the first stack. */
function effectsOf(metric: SimulatedMetric, tasks: number, effect: number): readonly number[] {
  const changed = simulatedCells.filter((cell) => cell.metric === metric).slice(0, tasks);
  return simulatedCells.map((cell) => (changed.includes(cell) ? effect : 0));
}

/** With a share of the jobs, figures are less accurate, and soon there. */
export async function powerRows(
  seed: number,
  onProgress: (text: string) => void,
  share = 1,
): Promise<readonly PowerRow[]> {
  const curve = metrics.flatMap((metric) =>
    changes.map((effect) => ({ noise: "normal", metric, tasks: 1, effect, jobs: powerJobs.each })),
  );
  const elsewhere = noises.flatMap(({ name: noise }) =>
    metrics.flatMap((metric) =>
      [1, 2].map((tasks) => ({ noise, metric, tasks, effect: detected, jobs: powerJobs.each })),
    ),
  );
  const known = new Map([...curve, ...elsewhere].map((one) => [JSON.stringify(one), one]));
  const cases = [...known.values()].map((one) =>
    one.noise === "normal" && one.effect === detected ? { ...one, jobs: powerJobs.detect } : one,
  );
  const tallies = await simulatedInWorkers(
    cases.map(({ noise, metric, tasks, effect, jobs }) => ({
      noise,
      effects: effectsOf(metric, tasks, effect),
      from: 0,
      jobs: Math.ceil(share * jobs),
      seed,
      withIntervals: true,
    })),
    onProgress,
  );
  return cases.flatMap(({ noise, metric, tasks, effect }, index) => {
    const tally = tallies[index];
    return tally === undefined ? [] : [{ ...tally, noise, metric, tasks, effect }];
  });
}
