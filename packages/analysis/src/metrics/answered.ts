// The answered part of a block: figures per second and per task count it, and include the cost of failures beside it.
import type { Block } from "@roundtrip/runs";

type Counted = Pick<Block, "tasks" | "calls" | "failedCalls">;

export function answeredCalls({ calls, failedCalls }: Pick<Counted, "calls" | "failedCalls">): number {
  return calls - failedCalls;
}

/**
 * The number of tasks that the answered calls make up; null without answers. A block's cost over this number is the cost of an answered task
 * including failures. That times answered tasks per second is the cost per second.
 */
export function answeredTasks(block: Counted): number | null {
  const { tasks, calls, failedCalls } = block;
  if (failedCalls === 0) return tasks;
  const answered = answeredCalls(block);
  return answered === 0 ? null : (tasks * answered) / calls;
}
