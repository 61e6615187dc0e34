// The memory that recording retains, in a fresh process with `--expose-gc` and a young generation that never fills by itself. Prints JSON.
import { instantExecution } from "../instant-execution.ts";
import { median } from "../median.ts";

export interface AllocationAnswer {
  /** Bytes that remain after a garbage collection, by calls in the block. */
  readonly retainedBytes: Readonly<Record<number, number>>;
  /** Garbage per call in bytes, beyond the bare loop. */
  readonly garbageBytesPerCall: number;
}

const few = 10_000;
const many = 100_000;
const repetitions = 9;

const { gc } = globalThis;
if (gc === undefined) throw new Error("start with --expose-gc");
const collect = gc;

const execution = await instantExecution(many);

function bytesNow(): number {
  const { heapUsed, external } = process.memoryUsage();
  // Array buffers are part of `external`.
  return heapUsed + external;
}

async function retainedBytes(calls: number): Promise<number> {
  collect();
  const before = bytesNow();
  await execution.recorded(calls);
  collect();
  return bytesNow() - before;
}

async function allocatedBytes(run: (calls: number) => Promise<void>): Promise<number> {
  collect();
  const before = bytesNow();
  await run(few);
  return bytesNow() - before;
}

for (const calls of [many, many]) await execution.recorded(calls);
await execution.bare(many);
const retained: Record<number, number[]> = { [few]: [], [many]: [] };
const garbage: number[] = [];
for (let repetition = 0; repetition < repetitions; repetition += 1) {
  for (const calls of [few, many]) retained[calls]?.push(await retainedBytes(calls));
  const recorded = await allocatedBytes((calls) => execution.recorded(calls));
  const bare = await allocatedBytes((calls) => execution.bare(calls));
  garbage.push((recorded - bare) / few);
}
execution.close();
process.stdout.write(
  JSON.stringify({
    retainedBytes: Object.fromEntries(Object.entries(retained).map(([calls, bytes]) => [calls, median(bytes)])),
    garbageBytesPerCall: median(garbage),
  } satisfies AllocationAnswer),
);
