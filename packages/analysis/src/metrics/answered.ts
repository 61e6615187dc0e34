// How much of a block was answered: figures per second and per task are of that, and include what failed beside it.
import type { Block } from "../run/run-facts.ts";

type Counted = Pick<Block, "tasks" | "calls" | "failedCalls">;

/** Calls that ended well. */
export function answeredCalls({ calls, failedCalls }: Pick<Counted, "calls" | "failedCalls">): number {
  return calls - failedCalls;
}

/**
 * So many tasks' worth of calls were answered; null where none was. What a block cost, over this, is what an answered task cost together with
 * those that failed beside it: times the answered tasks a second, it is what was spent a second.
 */
export function answeredTasks(block: Counted): number | null {
  const { tasks, calls, failedCalls } = block;
  if (failedCalls === 0) return tasks;
  const answered = answeredCalls(block);
  return answered === 0 ? null : (tasks * answered) / calls;
}
