// How long somebody waits who types `bench` and nothing else.
import { readRun } from "@roundtrip/runner";
import { join } from "node:path";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { meanIntervals } from "../mean-intervals.ts";
import { runProgram } from "../run-program.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const elapsedS: number[] = [];
  const roundsDone: number[] = [];
  let roundsPlanned = 0;
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`run ${round + 1} of ${rounds}`);
    using directory = temporaryDirectory();
    const out = join(directory.path, "run");
    const { elapsedMs } = await runProgram(["bench", "--out", out, "--quiet"]);
    const { facts } = await readRun(out);
    elapsedS.push(elapsedMs / 1000);
    roundsDone.push(facts.roundsDone);
    ({ roundsPlanned } = facts);
  }
  const [seconds, done] = meanIntervals([elapsedS, roundsDone], seed);
  return [
    { of: "wall time", value: seconds?.mean ?? 0, interval: seconds?.interval ?? null, unit: "s", atMost: 60 },
    {
      of: `rounds done of ${roundsPlanned}`,
      value: done?.mean ?? 0,
      interval: done?.interval ?? null,
      unit: "",
      atMost: undefined,
    },
  ];
}

export const measure: Measure = {
  name: "default-bench",
  title: "the default bench, installed, with its report",
  rounds: 1,
  run,
};
