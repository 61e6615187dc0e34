// The duration of a plain `bench`, and whether it completes all rounds, which intervals need.
import { readRun } from "@roundtrip/runner";
import { join } from "node:path";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { meanIntervals } from "../mean-intervals.ts";
import { runProgram } from "../run-program.ts";
import { temporaryFolder } from "@roundtrip/runner/lifetime";

export interface DefaultRun {
  readonly elapsedMs: number;
  readonly roundsPlanned: number;
  readonly roundsDone: number;
}

/** The figures of these runs. A run that saves time by leaving rounds out misses the second target. */
export function figuresOf(runs: readonly DefaultRun[], seed: number): readonly Figure[] {
  const elapsedS = runs.map(({ elapsedMs }) => elapsedMs / 1000);
  const lackingRounds = runs.map(({ roundsPlanned, roundsDone }) => roundsPlanned - roundsDone);
  const [seconds, lacking] = meanIntervals([elapsedS, lackingRounds], seed);
  const planned = Math.max(...runs.map(({ roundsPlanned }) => roundsPlanned));
  return [
    { of: "wall time", value: seconds?.mean ?? 0, interval: seconds?.interval ?? null, unit: "s", atMost: 60 },
    {
      of: `rounds lacking of ${planned}`,
      value: lacking?.mean ?? 0,
      interval: lacking?.interval ?? null,
      unit: "",
      atMost: 0,
    },
  ];
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const runs: DefaultRun[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`run ${round + 1} of ${rounds}`);
    using directory = temporaryFolder("self");
    const out = join(directory.path, "run");
    const { elapsedMs } = await runProgram(["bench", "--out", out, "--quiet"]);
    const { roundsPlanned, roundsDone } = (await readRun(out)).facts;
    runs.push({ elapsedMs, roundsPlanned, roundsDone });
  }
  return figuresOf(runs, seed);
}

export const measure: Measure = {
  name: "default-bench",
  title: "the default bench, installed, with its report",
  rounds: 3,
  run,
};
