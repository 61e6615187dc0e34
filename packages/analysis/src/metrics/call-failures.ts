// The failed calls of an arm, by outcome.
import type { ArmTasks } from "../calls/tasks-of.ts";

export interface CallFailures {
  readonly armId: string;
  readonly calls: number;
  /** Calls by outcome except OK, most frequent first: a canonical code, or the runner's outcome for a call that was never sent. */
  readonly counts: Readonly<Record<string, number>>;
}

export function callFailures(tasks: readonly ArmTasks[]): readonly CallFailures[] {
  return tasks.flatMap(({ armId, calls, failures }) => {
    const counts = [...failures].toSorted(([, one], [, other]) => other - one);
    return counts.length === 0 ? [] : [{ armId, calls, counts: Object.fromEntries(counts) }];
  });
}
