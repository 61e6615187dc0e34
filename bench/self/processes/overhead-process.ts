// One round of the cost of the harness, in a fresh process: blocks of recorded calls and of the same calls bare, in turns. Prints JSON.
import { instantExecution } from "../instant-execution.ts";
import { median } from "../median.ts";

export interface OverheadAnswer {
  /** The time that the harness adds to a call. */
  readonly addedUsPerCall: number;
}

const callsPerBlock = 20_000;
const warmUpBlocks = 5;
const blocks = 25;

const execution = await instantExecution(callsPerBlock);

async function usPerCall(run: (calls: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run(callsPerBlock);
  return ((performance.now() - startedAt) * 1000) / callsPerBlock;
}

const added: number[] = [];
for (let block = 0; block < warmUpBlocks + blocks; block += 1) {
  const recorded = await usPerCall((calls) => execution.recorded(calls));
  const bare = await usPerCall((calls) => execution.bare(calls));
  if (block >= warmUpBlocks) added.push(recorded - bare);
}
execution.close();
process.stdout.write(JSON.stringify({ addedUsPerCall: median(added) } satisfies OverheadAnswer));
