// How late an open loop begins its tasks, and whether arrivals are as irregular as drawn: docs/decisions/0130-waiting-turn-by-turn.md.
import { meanIntervals } from "../mean-intervals.ts";
import type { Measure, MeasureOptions } from "../measure.ts";
import type { PacingAnswer } from "../processes/pacing-process.ts";
import { runProbe } from "../run-probe.ts";

const rows: readonly {
  readonly of: string;
  readonly value: (answer: PacingAnswer) => number;
  readonly unit: string;
  readonly atMost: number | undefined;
}[] = [
  { of: "lateness, median", value: ({ medianUs }) => medianUs, unit: "µs", atMost: 5 },
  { of: "lateness, p99", value: ({ p99Us }) => p99Us, unit: "µs", atMost: 200 },
  { of: "lateness, maximum", value: ({ maxUs }) => maxUs, unit: "µs", atMost: undefined },
  {
    of: "coefficient of variation of the gaps as drawn, off 1 by",
    value: ({ drawnVariation }) => 100 * Math.abs(drawnVariation - 1),
    unit: "%",
    atMost: undefined,
  },
  {
    of: "the same of the gaps as they came",
    value: ({ variation }) => 100 * Math.abs(variation - 1),
    unit: "%",
    atMost: 2,
  },
  {
    of: "time in which the process could not have begun a task",
    value: ({ utilisation }) => 100 * utilisation,
    unit: "%",
    atMost: undefined,
  },
];

async function run({ rounds, seed, onProgress }: MeasureOptions) {
  const answers: PacingAnswer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    answers.push(await runProbe<PacingAnswer>("pacing-process"));
  }
  // Microseconds and percentages are separate families: the variation of one says nothing about the other.
  return rows.map(({ of, value, unit, atMost }) => {
    const [computed] = meanIntervals([answers.map(value)], seed);
    return { of, value: computed?.mean ?? Number.NaN, interval: computed?.interval ?? null, unit, atMost };
  });
}

export const measure: Measure = {
  name: "pacing",
  title: "Poisson arrivals at 5,000 a second, by a process that has nothing else to do",
  // The rest varies with the machine: a single halt of 10 ms adds 5 % to the coefficient of variation of a round.
  rounds: 12,
  run,
};
