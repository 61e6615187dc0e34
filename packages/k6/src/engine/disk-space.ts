// Estimates the size of k6's results, so that a run does not fill the disk.
import type { K6Plan } from "../plan/k6-plan.ts";

/** Some 2 kB for a call over HTTP, mostly for k6's own metrics, with a reserve. */
const bytesPerCall = 2_500;

/** All calls of a plan, with the unmeasured task of each virtual user. */
function callsOf({ arms, cells }: Pick<K6Plan, "arms" | "cells">): number {
  const callsPerTask = new Map(arms.map(({ facts }) => [facts.id, facts.callsPerTask]));
  return cells.reduce((sum, { armId, tasks, callers }) => sum + (tasks + callers) * (callsPerTask.get(armId) ?? 0), 0);
}

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1e6).toLocaleString("en-US")} MB`;

/** Why the samples of a plan cannot be written, and what to do; undefined if there is enough space. */
export function diskSpaceError(
  plan: Pick<K6Plan, "arms" | "cells">,
  folder: string,
  freeBytes: number,
): string | undefined {
  const needed = callsOf(plan) * bytesPerCall;
  if (needed <= freeBytes) return undefined;
  return `k6 would write ${inMegabytes(needed)} of samples to ${folder}, which has ${inMegabytes(freeBytes)} free; set TMPDIR to a folder with more space, or make fewer calls (--calls)`;
}
