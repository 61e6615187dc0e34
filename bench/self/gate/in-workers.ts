// Simulates jobs on all cores. The tallies are the same on any number of cores.
import { Piscina } from "piscina";
import type { JobTally, JobsAsked } from "./simulate.ts";

/** Jobs of one task for a thread: enough to be worth the message, few enough that all threads end at about the same time. */
const jobsAtOnce = 250;

function parts(asked: JobsAsked): readonly JobsAsked[] {
  return Array.from({ length: Math.ceil(asked.jobs / jobsAtOnce) }, (_, part) => {
    const done = part * jobsAtOnce;
    return { ...asked, from: asked.from + done, jobs: Math.min(jobsAtOnce, asked.jobs - done) };
  });
}

function sumOf(tallies: readonly JobTally[]): JobTally {
  const endedAfter: Record<number, number> = {};
  for (const [rounds, jobs] of tallies.flatMap((tally) => Object.entries(tally.endedAfter))) {
    endedAfter[Number(rounds)] = (endedAfter[Number(rounds)] ?? 0) + jobs;
  }
  const total = (of: (tally: JobTally) => number): number => tallies.reduce((sum, tally) => sum + of(tally), 0);
  return {
    jobs: total(({ jobs }) => jobs),
    failed: total(({ failed }) => failed),
    blocked: total(({ blocked }) => blocked),
    misnamed: total(({ misnamed }) => misnamed),
    passed: total(({ passed }) => passed),
    endedAfter,
    covered: total(({ covered }) => covered),
  };
}

/** One tally per request, in order. */
export async function simulatedInWorkers(
  asked: readonly JobsAsked[],
  onProgress: (text: string) => void,
): Promise<readonly JobTally[]> {
  const pool = new Piscina<JobsAsked, JobTally>({
    filename: new URL("simulate.ts", import.meta.url).href,
    recordTiming: false,
  });
  const total = asked.flatMap(parts).length;
  let done = 0;
  const tallyOf = async (part: JobsAsked): Promise<JobTally> => {
    const tally = await pool.run(part, { name: "simulateJobs" });
    onProgress(`part ${(done += 1)} of ${total}`);
    return tally;
  };
  try {
    return await Promise.all(asked.map(async (request) => sumOf(await Promise.all(parts(request).map(tallyOf)))));
  } finally {
    await pool.destroy();
  }
}
