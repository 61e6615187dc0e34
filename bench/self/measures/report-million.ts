// How long a report of a million calls takes and how much memory: a whole process, from its start to the written file.
import { join } from "node:path";
import { writeLargeRun } from "../large-run.ts";
import type { Measure, MeasureOptions } from "../measure.ts";
import { meanIntervals } from "../mean-intervals.ts";
import { runProgram, type ProgramCost } from "../run-program.ts";
import { temporaryDirectory } from "../../programs/temporary-directory.ts";

const calls = 1_000_000;

async function run({ rounds, seed, onProgress }: MeasureOptions) {
  using directory = temporaryDirectory("self");
  onProgress("writing the run");
  const arms = await writeLargeRun({ directory: directory.path, calls, rounds: 6, seed });
  const costs: ProgramCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`report ${round + 1} of ${rounds}`);
    const file = join(directory.path, "report.html");
    costs.push(await runProgram(["report", directory.path, "--format", "html", "--out", file]));
  }
  const [seconds, peak] = meanIntervals(
    [costs.map(({ elapsedMs }) => elapsedMs / 1000), costs.map(({ peakMiB }) => peakMiB)],
    seed,
  );
  const of = `${calls} calls of ${arms} arms`;
  return [
    { of, value: seconds?.mean ?? 0, interval: seconds?.interval ?? null, unit: "s", atMost: 10 },
    { of, value: peak?.mean ?? 0, interval: peak?.interval ?? null, unit: "MiB", atMost: 1024 },
  ];
}

export const measure: Measure = {
  name: "report-million",
  title: "an HTML report of a million calls: wall time, and memory at its peak",
  rounds: 1,
  run,
};
