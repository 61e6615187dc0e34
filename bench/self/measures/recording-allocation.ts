// Whether recording allocates memory for each call, beyond the buffers that are allocated before the block.
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { meanIntervals } from "../mean-intervals.ts";
import type { AllocationAnswer } from "../processes/allocation-process.ts";
import { runProbe } from "../run-probe.ts";

// The compiler's own data varies by a few hundred bytes. The smallest thing that a call could leave behind, a pointer, has 8.
const nothingBytes = 0.1;

const flags = ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"];

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const answers: AllocationAnswer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    answers.push(await runProbe<AllocationAnswer>("allocation-process", flags));
  }
  const of = (value: (answer: AllocationAnswer) => number): readonly number[] => answers.map(value);
  const retained = (calls: number) => of(({ retainedBytes }) => retainedBytes[calls] ?? Number.NaN);
  const [few, many] = [10_000, 100_000];
  const growth = retained(many).map((bytes, round) => (bytes - (retained(few)[round] ?? 0)) / (many - few));
  const [perFew, perMany, perCall, garbage] = meanIntervals(
    [retained(few), retained(many), growth, of(({ garbageBytesPerCall }) => garbageBytesPerCall)],
    seed,
  );
  const figure = (what: string, computed: typeof perCall, unit: string, atMost?: number): Figure => ({
    of: what,
    value: computed?.mean ?? Number.NaN,
    interval: computed?.interval ?? null,
    unit,
    atMost,
  });
  return [
    figure(`kept after ${few} calls`, perFew, "B"),
    figure(`kept after ${many} calls`, perMany, "B"),
    figure("kept for each further call", perCall, "B", nothingBytes),
    figure("allocated and collected, a call", garbage, "B"),
  ];
}

export const measure: Measure = {
  name: "recording-allocation",
  title: "memory that recording takes beyond its buffers",
  rounds: 6,
  run,
};
