// Which calls of an arm failed, by how they ended.
import type { ArmTasks } from "../calls/tasks-of.ts";

export interface CallFailures {
  readonly armId: string;
  readonly calls: number;
  /** Calls by outcome: a canonical code, or what the runner calls a call that was never sent; most often first. OK is not among them. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The arms of which any call failed, in the order of the run. */
export function callFailures(tasks: readonly ArmTasks[]): readonly CallFailures[] {
  return tasks.flatMap(({ armId, calls, failures }) => {
    const counts = [...failures].toSorted(([, one], [, other]) => other - one);
    return counts.length === 0 ? [] : [{ armId, calls, counts: Object.fromEntries(counts) }];
  });
}
