// Simulates jobs on all cores. The tallies are the same on any number of cores.
import { availableParallelism } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { simulateJobs, type JobTally, type JobsAsked } from "./simulate.ts";

/** What threads of this file are started with. */
const gateWorker = "simulates jobs of the gate";

if (workerData === gateWorker) {
  parentPort?.on("message", (asked: JobsAsked) => {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(simulateJobs(asked));
  });
}

/** Jobs per message to a thread: enough to be worth the message, few enough that all threads end at about the same time. */
const jobsAtOnce = 250;

function parts(asked: JobsAsked): readonly JobsAsked[] {
  return Array.from({ length: Math.ceil(asked.jobs / jobsAtOnce) }, (_, part) => {
    const done = part * jobsAtOnce;
    return { ...asked, from: asked.from + done, jobs: Math.min(jobsAtOnce, asked.jobs - done) };
  });
}

function sumOf(tallies: readonly JobTally[]): JobTally {
  const endedAfter: Record<number, number> = {};
  for (const tally of tallies) {
    for (const [rounds, jobs] of Object.entries(tally.endedAfter)) {
      endedAfter[Number(rounds)] = (endedAfter[Number(rounds)] ?? 0) + jobs;
    }
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
  const tasks = asked.flatMap((request, index) => parts(request).map((part) => ({ index, part })));
  const tallies = asked.map((): JobTally[] => []);
  let next = 0;
  let done = 0;

  function work(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      let current: (typeof tasks)[number] | undefined;
      const giveNext = (): void => {
        current = tasks[next];
        next += 1;
        if (current === undefined) resolve();
        // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
        else worker.postMessage(current.part);
      };
      worker.on("error", reject);
      worker.on("message", (tally: JobTally) => {
        if (current !== undefined) tallies[current.index]?.push(tally);
        done += 1;
        onProgress(`part ${done} of ${tasks.length}`);
        giveNext();
      });
      giveNext();
    });
  }

  const program = new URL(import.meta.url);
  const workers = Array.from(
    { length: Math.min(availableParallelism(), tasks.length) },
    () => new Worker(program, { workerData: gateWorker }),
  );
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return tallies.map(sumOf);
}
