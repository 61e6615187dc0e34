// The cost of reporting a long run, in a process of its own, from its start to the written file.
import type { Study } from "@roundtrip/runner";
import { join } from "node:path";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { writeLargeRun } from "./large-run.ts";
import type { Figure, MeasureOptions } from "./measure.ts";
import { meanIntervals } from "./mean-intervals.ts";
import { runProgram, type ProgramCost } from "./run-program.ts";

export interface LargeReport {
  readonly studies: readonly Study[];
  readonly calls: number;
  readonly atMostS: number;
}

/** Wall time, and peak memory, which may be 1 GiB. */
export async function largeReport(
  { studies, calls, atMostS }: LargeReport,
  { rounds, seed, onProgress }: MeasureOptions,
): Promise<readonly Figure[]> {
  using directory = temporaryFolder("self");
  onProgress("writing the run");
  const arms = await writeLargeRun({ directory: directory.path, studies, calls, rounds: 6, seed });
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
    { of, value: seconds?.mean ?? 0, interval: seconds?.interval ?? null, unit: "s", atMost: atMostS },
    { of, value: peak?.mean ?? 0, interval: peak?.interval ?? null, unit: "MiB", atMost: 1024 },
  ];
}
