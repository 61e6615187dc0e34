// A thread that computes powers as ours do, but dies in the middle of one and is held up by another until nobody wants it.
import { exit, hrtime } from "node:process";
import { powerMemory } from "../../../src/matrix/raise-to-power.ts";
import { computePower as compute, type PowerDone, type PowerTask } from "../../../src/matrix/power-thread.ts";

/** The exponents of those powers. */
export const deadlyExponent = 13;
export const endlessExponent = 12;

export function computePower(task: PowerTask): PowerDone {
  if (task.exponent === deadlyExponent) exit(1);
  if (task.exponent !== endlessExponent) return compute(task);
  const startedAtNs = hrtime.bigint();
  const memory = powerMemory(task.block, task.size);
  while (!memory.isAbandoned());
  return { startedAtNs, endedAtNs: hrtime.bigint(), power: undefined };
}
