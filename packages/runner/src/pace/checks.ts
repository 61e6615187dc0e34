// Checks for all pacers: invalid numbers, and schedules that would not fit into memory.
import { RunnerError } from "../basics/runner-error.ts";

/** Of one block: 8 MB of a schedule, 70 MB of records. */
const mostTasks = 1_000_000;

/** Throws a RunnerError `bad-plan` unless the value is finite and above 0. @param what for example `a rate`. @param unit for example `a second`. */
export function requirePositive(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new RunnerError("bad-plan", `${what} must be finite and above 0, got ${value} ${unit}`);
}

/** The same, but zero is valid. */
export function requireNotNegative(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RunnerError("bad-plan", `${what} must be finite and at least 0, got ${value} ${unit}`);
}

/** An array for a schedule of this many tasks. Throws a RunnerError `bad-plan` for a count that is invalid or too large. */
export function emptySchedule(tasks: number): Float64Array {
  if (!Number.isInteger(tasks) || tasks < 1) {
    throw new RunnerError("bad-plan", `a block must have at least 1 task, got ${tasks}`);
  }
  if (tasks > mostTasks) {
    const message = `a block must have at most ${mostTasks} tasks, got ${tasks}: use smaller blocks`;
    throw new RunnerError("bad-plan", message);
  }
  return new Float64Array(tasks);
}
