// The time that the harness adds to a call by timing and recording. It must be a negligible share of any median.
import { loadStack } from "@roundtrip/stacks";
import { measureRun, usualAnswerLimitMs } from "@roundtrip/runner";
import { readRun } from "@roundtrip/runs/read";
import { study as hello } from "../../studies/hello.ts";
import { meanIntervals, median, type Measure, type MeasureOptions } from "../measure.ts";
import type { OverheadAnswer } from "../processes/overhead-process.ts";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { realContractAndService, runProbe } from "../probe.ts";

/** The median of the floor's hello in µs, which is the smallest that a default run reports. */
async function smallestMedianUs(seed: number): Promise<number> {
  using directory = temporaryFolder("self");
  await measureRun(
    {
      studies: [hello],
      stacks: [await loadStack("floor")],
      settings: {},
      targets: [],
      targetsAreDisposable: false,
      answerLimitMs: usualAnswerLimitMs,
      ...realContractAndService,
      serviceDefaults: {},
      directory: directory.path,
      seed,
      rounds: 2,
      link: "auto",
      links: {},
      warmUpMs: 450,
      budgetMs: 30_000,
      tls: false,
      command: "bench:self harness-overhead",
    },
    new AbortController().signal,
    () => undefined,
  );
  const { samples } = await readRun(directory.path);
  return median(samples.endedAtNs.map((endedAtNs, call) => (endedAtNs - (samples.startedAtNs[call] ?? 0)) / 1000));
}

async function run({ rounds, seed, onProgress }: MeasureOptions) {
  const added: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    added.push((await runProbe<OverheadAnswer>("overhead-process")).addedUsPerCall);
  }
  onProgress("the smallest median of a run");
  const smallestUs = await smallestMedianUs(seed);
  const share = added.map((us) => (100 * us) / smallestUs);
  const [inUs, inPercent] = meanIntervals([added, share], seed);
  return [
    { of: "a call", value: inUs?.mean ?? 0, interval: inUs?.interval ?? null, unit: "µs", atMost: 1 },
    {
      of: `of the smallest median of a run (${smallestUs.toFixed(1)} µs)`,
      value: inPercent?.mean ?? 0,
      interval: inPercent?.interval ?? null,
      unit: "%",
      atMost: 1,
    },
  ];
}

export const measure: Measure = {
  name: "harness-overhead",
  title: "what timing and recording add to a call",
  rounds: 10,
  run,
};
