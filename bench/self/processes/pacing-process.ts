// One round of the lateness of empty tasks: Poisson arrivals at 5,000 a second for five seconds, the same in every round, so that rounds differ only
// by the machine. Prints JSON.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { poisson } from "@roundtrip/runner";
import { openLoop } from "@roundtrip/runner/measured-process";

export interface PacingAnswer {
  readonly medianUs: number;
  readonly p99Us: number;
  readonly maxUs: number;
  /** Coefficient of variation of the gaps between starts: as drawn, and as measured. */
  readonly drawnVariation: number;
  readonly variation: number;
  readonly utilisation: number;
}

const rateHz = 5_000;
const tasks = 25_000;
const lateMs = new Float64Array(tasks);
const startedMs = new Float64Array(tasks);

function variationOf(startsMs: Float64Array): number {
  const gaps = startsMs.slice(1).map((atMs, at) => atMs - (startsMs[at] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.sqrt(variance) / mean;
}

async function begun(startsMs: Float64Array): Promise<PacingAnswer> {
  const done = Promise.resolve();
  const begin = (task: number, intendedAtMs: number): Promise<void> => {
    const nowMs = performance.now();
    startedMs[task] = nowMs;
    lateMs[task] = nowMs - intendedAtMs;
    return done;
  };
  const { ended } = openLoop({ loop: "open", startsMs, mostInFlight: tasks }, { begin, refuse: () => undefined });
  const utilisation = await ended;
  const sorted = sortedCopy(lateMs);
  return {
    medianUs: 1_000 * quantile(sorted, 0.5),
    p99Us: 1_000 * quantile(sorted, 0.99),
    maxUs: 1_000 * quantile(sorted, 1),
    drawnVariation: variationOf(startsMs),
    variation: variationOf(startedMs),
    utilisation,
  };
}

const startsMs = poisson({ rateHz }).schedule(tasks, 2);
// The first second is for the compiler.
await begun(startsMs.slice(0, rateHz));
process.stdout.write(JSON.stringify(await begun(startsMs)));
