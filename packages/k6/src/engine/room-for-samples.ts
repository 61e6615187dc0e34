// Whether there is room for what k6 will write: a disk that fills in the middle takes more than the run with it.
import type { K6Plan } from "../plan/k6-plan.ts";

/** Some 2 kB for a call over HTTP, most of it in lines of k6's own, and a reserve. */
const bytesPerCall = 2_500;

/** All calls of a plan, with the tasks that virtual users do unmeasured. */
function callsOf({ arms, cells }: Pick<K6Plan, "arms" | "cells">): number {
  const callsPerTask = new Map(arms.map(({ facts }) => [facts.id, facts.callsPerTask]));
  return cells.reduce((sum, { armId, tasks, callers }) => sum + (tasks + callers) * (callsPerTask.get(armId) ?? 0), 0);
}

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1e6).toLocaleString("en-US")} MB`;

/** What keeps the samples of a plan from being written, in words with what to do about it; undefined where there is room. */
export function faultOfRoom(
  plan: Pick<K6Plan, "arms" | "cells">,
  folder: string,
  freeBytes: number,
): string | undefined {
  const needed = callsOf(plan) * bytesPerCall;
  if (needed <= freeBytes) return undefined;
  return `k6 would write ${inMegabytes(needed)} of samples to ${folder}, where ${inMegabytes(freeBytes)} are free: let TMPDIR name a folder with more room, or make fewer calls (--calls)`;
}
