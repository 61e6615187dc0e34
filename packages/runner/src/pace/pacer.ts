// A pacer decides when tasks begin: a pure function from a seed to a schedule. It reads no clock, so that every arm of a run gets the same one.
import type { Scalar } from "@roundtrip/analysis";

/** One file of this folder makes one kind of pacer. */
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
