// The distribution of rounds after which jobs ended.
import type { JobTally } from "./simulate-jobs.ts";

/** The smallest number of rounds after which at least this share of the jobs had ended. */
export function roundsToVerdict({ jobs, endedAfter }: Pick<JobTally, "jobs" | "endedAfter">, part: number): number {
  const ended = Object.entries(endedAfter)
    .map(([rounds, count]) => ({ rounds: Number(rounds), count }))
    .toSorted((one, other) => one.rounds - other.rounds);
  let done = 0;
  for (const { rounds, count } of ended) {
    done += count;
    if (done >= part * jobs) return rounds;
  }
  return ended.at(-1)?.rounds ?? 0;
}
