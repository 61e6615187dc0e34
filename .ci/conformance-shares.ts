// Which stacks one process tests, and how many processes run at once.
import { availableParallelism } from "node:os";

/** A process computes most of its time, because it runs cases that wait beside others. One more than there are processors covers its first and last moments. */
export const processesAtOnce = availableParallelism() + 1;

/** Twice as many shares as run at once: the last ones to end differ little. */
export function conformanceShares(names: readonly string[]): readonly (readonly string[])[] {
  const shares = 2 * processesAtOnce;
  return Array.from({ length: shares }, (_, share) => names.filter((_name, index) => index % shares === share)).filter(
    ({ length }) => length > 0,
  );
}

/** Runs jobs in their order, as many at once as processes should run, and returns their results in that order. */
export async function inProcesses<T, R>(jobs: readonly T[], run: (job: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = jobs.entries();
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- the other workers' jobs run meanwhile
    for (const [index, job] of waiting) results[index] = await run(job);
  };
  await Promise.all(Array.from({ length: processesAtOnce }, work));
  return results;
}
