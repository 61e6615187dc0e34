// What no pacer takes: numbers that are none, and schedules that would not fit into memory.
import { RunnerError } from "../basics/runner-error.ts";

/** Of one block: 8 MB of a schedule, 70 MB of records. */
const mostTasks = 1_000_000;

/** Throws a RunnerError `bad-plan` unless it is finite and above zero. @param what for example `a rate`. @param unit for example `a second`. */
export function requirePositive(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new RunnerError("bad-plan", `${what} of ${value} ${unit} is no pace: it has to be finite and above zero`);
}

/** The same with zero allowed. */
export function requireNotNegative(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RunnerError("bad-plan", `${what} of ${value} ${unit} is no pace: it has to be finite and not below zero`);
}

/** An array for a schedule of this many tasks. Throws a RunnerError `bad-plan` for a count that is none, or too large. */
export function emptySchedule(tasks: number): Float64Array {
  if (!Number.isInteger(tasks) || tasks < 1) {
    throw new RunnerError("bad-plan", `a block of ${tasks} tasks cannot be paced: there has to be one at least`);
  }
  if (tasks > mostTasks) {
    const message = `a block of ${tasks} tasks is too large to be paced: at most ${mostTasks} are scheduled at once, so take smaller blocks`;
    throw new RunnerError("bad-plan", message);
  }
  return new Float64Array(tasks);
}
