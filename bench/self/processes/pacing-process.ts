// One round of how late tasks begin that have nothing to do: Poisson arrivals at 5,000 a second for five seconds. Prints JSON.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { poisson } from "@roundtrip/runner";
import { openLoop } from "@roundtrip/runner/measured-process";

export interface PacingAnswer {
  readonly medianUs: number;
  readonly p99Us: number;
  readonly maxUs: number;
  /** Standard deviation over mean of the gaps between the actual starts. */
  readonly variation: number;
  readonly utilisation: number;
}

const rateHz = 5_000;
const tasks = 25_000;
const lateMs = new Float64Array(tasks);
const startedMs = new Float64Array(tasks);

async function round(seed: number): Promise<PacingAnswer> {
  const startsMs = poisson({ rateHz }).schedule(tasks, seed);
  const done = Promise.resolve();
  const begin = (task: number, intendedAtMs: number): Promise<void> => {
    const nowMs = performance.now();
    startedMs[task] = nowMs;
    lateMs[task] = nowMs - intendedAtMs;
    return done;
  };
  const { ended } = openLoop({ loop: "open", startsMs, mostInFlight: tasks }, { begin, refuse: () => undefined });
  const utilisation = await ended;
  const gaps = startedMs.slice(1).map((atMs, at) => atMs - (startedMs[at] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  const sorted = sortedCopy(lateMs);
  return {
    medianUs: 1_000 * quantile(sorted, 0.5),
    p99Us: 1_000 * quantile(sorted, 0.99),
    maxUs: 1_000 * quantile(sorted, 1),
    variation: Math.sqrt(variance) / mean,
    utilisation,
  };
}

// The first is for the compiler.
await round(1);
process.stdout.write(JSON.stringify(await round(2)));
