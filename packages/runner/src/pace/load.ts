// The load of a task: its pacer, and the schedule for a block of an arm.
import type { ArmLoad, Scalar } from "@roundtrip/analysis";
import { RunnerError } from "../basics/runner-error.ts";
import { seedOf } from "../basics/seeded-order.ts";
import type { Pacer } from "./pacer.ts";

export interface Load {
  readonly pacer: Pacer;
  /** Open loop: the maximum of tasks under way. Further ones are recorded as NOT_SENT, and their arm gets no latency. Default: 10,000. */
  readonly mostInFlight?: number;
}

/** More than any queue that a study intends, and far less than would overload the machine. */
const usualMostInFlight = 10_000;

export type Pace =
  | { readonly loop: "open"; readonly startsMs: Float64Array; readonly mostInFlight: number }
  | { readonly loop: "closed"; readonly pausesMs: Float64Array };

/** Separates its seeds from those of orders, see {@link seedOf}. */
const paceStream = 3;

export function factsOfLoad({ pacer, mostInFlight = usualMostInFlight }: Load): ArmLoad {
  const { loop, name } = pacer;
  return loop === "open" ? { loop, pacer: name, mostInFlight } : { loop, pacer: name };
}

/** The factors that distinguish arms: `rateHz` and the like, or `callers` and `thinkMs`. */
export function factorsOfLoad({ pacer }: Load, callers: number): Readonly<Record<string, Scalar>> {
  return pacer.loop === "open" ? pacer.factors : { callers, ...pacer.factors };
}

/** Throws a RunnerError `bad-plan` for an invalid load. */
export function requireLoad({ pacer, mostInFlight }: Load, tasksPerBlock: number): void {
  pacer.schedule(tasksPerBlock, 0);
  if (mostInFlight === undefined) return;
  if (pacer.loop === "closed") {
    throw new RunnerError(
      "bad-plan",
      "mostInFlight is for open loops only: a closed loop has as many tasks under way as callers",
    );
  }
  if (!Number.isInteger(mostInFlight) || mostInFlight < 1) {
    throw new RunnerError("bad-plan", `mostInFlight must be an integer of at least 1, got ${mostInFlight}`);
  }
}

/** The schedule of one block. Blocks with the same round and turn share one schedule across stacks (common random numbers). */
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
