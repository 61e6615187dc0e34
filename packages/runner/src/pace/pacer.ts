// A pacer decides when tasks begin: a pure function from a seed to a schedule. It reads no clock, so that every arm of a run gets the same one.
import type { Scalar } from "@roundtrip/runs";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { RunnerError } from "../basics/runner-error.ts";

export interface Pacer {
  /** Its name in results: `poisson`, `constant`, … */
  readonly name: string;
  /** `open`: tasks begin at predetermined times, whatever has been answered. `closed`: each caller pauses between the end of a task and its next. */
  readonly loop: "open" | "closed";
  /** The factors that distinguish the arms that it paces: `rateHz`, `thinkMs`, … */
  readonly factors: Readonly<Record<string, Scalar>>;
  /**
   * One number per task, in milliseconds. Open loop: when it begins, from the begin of the block, ascending. Closed loop: the pause before it. A
   * shorter schedule is a prefix of a longer one. Throws a RunnerError `bad-plan` for more than a million tasks, or more than it has.
   */
  schedule(tasks: number, seed: number): Float64Array;
}

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

/** Draws with mean 1, by inversion: −ln(1 − u) for u uniform on [0, 1). */
export function exponentialDraws(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => -Math.log1p(-uniformFloat64(generator));
}
