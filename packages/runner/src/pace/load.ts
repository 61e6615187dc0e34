// How a task is set off: its pacer, and what a block of an arm is told of it.
import type { ArmLoad, Scalar } from "@roundtrip/analysis";
import { RunnerError } from "../basics/runner-error.ts";
import { seedOf } from "../basics/seeded-order.ts";
import type { Pacer } from "./pacer.ts";

export interface Load {
  readonly pacer: Pacer;
  /**
   * Open loop: how many tasks may be under way at once. One that comes on top is not begun: it is noted with the outcome NOT_SENT, and its
   * arm has no latency to tell. Absent for 10,000.
   */
  readonly mostInFlight?: number;
}

/** More than any queue that a study means to see, and far less than would hurt the machine. */
const usualMostInFlight = 10_000;

/** The schedule of one block. */
export type Pace =
  | { readonly loop: "open"; readonly startsMs: Float64Array; readonly mostInFlight: number }
  | { readonly loop: "closed"; readonly pausesMs: Float64Array };

/** Sets its seeds apart from those of orders, see {@link seedOf}. */
const paceStream = 3;

/** What results say of a load. */
export function factsOfLoad({ pacer, mostInFlight = usualMostInFlight }: Load): ArmLoad {
  const { loop, name } = pacer;
  return loop === "open" ? { loop, pacer: name, mostInFlight } : { loop, pacer: name };
}

/** What arms are told apart by: `rateHz` and its like, or `callers` and `thinkMs`. */
export function factorsOfLoad({ pacer }: Load, callers: number): Readonly<Record<string, Scalar>> {
  return pacer.loop === "open" ? pacer.factors : { callers, ...pacer.factors };
}

/** Throws a RunnerError `bad-plan` for a load that its tasks cannot have. */
export function requireLoad({ pacer, mostInFlight }: Load, tasksPerBlock: number): void {
  pacer.schedule(tasksPerBlock, 0);
  if (mostInFlight === undefined) return;
  if (pacer.loop === "closed") {
    throw new RunnerError(
      "bad-plan",
      "a closed loop has as many tasks under way as callers: no other bound can be set",
    );
  }
  if (!Number.isInteger(mostInFlight) || mostInFlight < 1) {
    throw new RunnerError("bad-plan", `${mostInFlight} tasks under way at once are none`);
  }
}

/** What one block is told. Blocks with one round and turn have one schedule, whatever the stack: common random numbers. */
export function paceOf(
  { pacer, mostInFlight = usualMostInFlight }: Load,
  tasks: number,
  { seed, round, turn }: { readonly seed: number; readonly round: number; readonly turn: number },
): Pace {
  const schedule = pacer.schedule(tasks, seedOf(seed, round, turn, paceStream));
  return pacer.loop === "open"
    ? { loop: "open", startsMs: schedule, mostInFlight }
    : { loop: "closed", pausesMs: schedule };
}
