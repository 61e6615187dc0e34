// The load of a task: its pacer, and the schedule for a block of an arm.
import type { ArmLoad, Scalar } from "@roundtrip/runs";
import { seedOf } from "../basics/seeded-order.ts";
import type { Pacer } from "./pacers.ts";

export interface Load {
  readonly pacer: Pacer;
}

/** Most tasks under way in an open loop: more than any intended queue, less than overload. Others are NOT_SENT, and their arm gets no latency. */
const mostInFlight = 10_000;

export type Pace =
  | { readonly loop: "open"; readonly startsMs: Float64Array; readonly mostInFlight: number }
  | { readonly loop: "closed"; readonly pausesMs: Float64Array; readonly isWork: boolean };

/** Separates its seeds from those of orders, see {@link seedOf}. */
const paceStream = 3;

export function factsOfLoad({ pacer }: Load): ArmLoad {
  const { loop, name } = pacer;
  return loop === "open" ? { loop, pacer: name, mostInFlight } : { loop, pacer: name };
}

/** The factors that distinguish arms: `rateHz` and the like, or `callers` and `thinkMs`. */
export function factorsOfLoad({ pacer }: Load, callers: number): Readonly<Record<string, Scalar>> {
  return pacer.loop === "open" ? pacer.factors : { callers, ...pacer.factors };
}

/** Throws a RunnerError `bad-plan` for an invalid load. */
export function requireLoad({ pacer }: Load, tasksPerBlock: number): void {
  pacer.schedule(tasksPerBlock, 0);
}

/** The schedule of one block. Blocks with the same round and turn share one schedule across stacks (common random numbers). */
export function paceOf(
  { pacer }: Load,
  tasks: number,
  { seed, round, turn }: { readonly seed: number; readonly round: number; readonly turn: number },
): Pace {
  const schedule = pacer.schedule(tasks, seedOf(seed, round, turn, paceStream));
  return pacer.loop === "open"
    ? { loop: "open", startsMs: schedule, mostInFlight }
    : { loop: "closed", pausesMs: schedule, isWork: pacer.factors["thinkTime"] === "work" };
}
