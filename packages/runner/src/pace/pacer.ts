// A pacer decides when tasks begin: a pure function from a seed to a schedule. It reads no clock, so that every arm of a run gets the same one.
import type { Scalar } from "@roundtrip/analysis";

/** One file of this folder makes one kind of pacer. */
export interface Pacer {
  /** What results call it: `poisson`, `constant`, … */
  readonly name: string;
  /**
   * `open`: tasks begin at moments that are set beforehand, whatever has been answered by then. `closed`: each caller pauses after its
   * task has ended, and then begins its next.
   */
  readonly loop: "open" | "closed";
  /** The factors that distinguish the arms that it paces: `rateHz`, `thinkMs`, … */
  readonly factors: Readonly<Record<string, Scalar>>;
  /**
   * One number for each task, in milliseconds. Open loop: when it begins, counted from the block's begin, ascending. Closed loop: the
   * pause before it. Fewer tasks get the first numbers of more. Throws a RunnerError `bad-plan` for more than a million tasks, and
   * for more than it has.
   */
  schedule(tasks: number, seed: number): Float64Array;
}
