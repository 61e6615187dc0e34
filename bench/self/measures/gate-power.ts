// How often and how soon the gate finds real changes, and whether its intervals contain them: docs/gate.md.
import { simulatedInWorkers } from "../gate/in-workers.ts";
import { roundsToVerdict, shareFigure } from "../gate/shares.ts";
import { noises, simulatedCells, type JobTally, type SimulatedMetric } from "../gate/simulate.ts";
import type { Figure, Measure } from "../measure.ts";

interface PowerRow extends JobTally {
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
async function powerRows(
  seed: number,
  onProgress: (text: string) => void,
  share: number,
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
    })),
    onProgress,
  );
  return cases.flatMap(({ noise, metric, tasks, effect }, index) => {
    const tally = tallies[index];
    return tally === undefined ? [] : [{ ...tally, noise, metric, tasks, effect }];
  });
}

/** In per cent: the maximum share of missed changes that a FAIL is for, and of jobs with an interval that misses the true value. */
const mostMissed = 5;
const mostUncovered = 5;

function figuresOf({ noise, metric, tasks, effect, jobs, blocked, covered, ...tally }: PowerRow): readonly Figure[] {
  const change = `${effect > 0 ? "+" : "−"}${Math.round(Math.abs(100 * effect))} %`;
  const of = `${noise}, ${metric} ${change} in ${tasks === 1 ? "one task" : "both tasks"} of a stack`;
  const isAsked = noise === "normal" && effect >= 0.05 && (effect > 0.05 || tasks === 2);
  const alarms =
    effect > 0.02
      ? shareFigure(`${of}: missed`, jobs - blocked, jobs, isAsked ? mostMissed : undefined)
      : shareFigure(`${of}: FAIL`, blocked, jobs, 1);
  return [
    alarms,
    shareFigure(
      `${of}: intervals that lack the truth`,
      jobs - covered,
      jobs,
      noise === "normal" ? mostUncovered : undefined,
    ),
    ...([0.5, 0.95] as const).map((part) => ({
      of: `${of}: rounds until the verdict, ${part === 0.5 ? "median" : "p95"}`,
      value: roundsToVerdict({ jobs, ...tally }, part),
      interval: null,
      unit: "",
      atMost: undefined,
    })),
  ];
}

export const measure: Measure = {
  name: "gate-power",
  title: "what the gate finds in simulated jobs",
  rounds: 1,
  run: async ({ seed, share, onProgress }) => (await powerRows(seed, onProgress, share)).flatMap(figuresOf),
};
