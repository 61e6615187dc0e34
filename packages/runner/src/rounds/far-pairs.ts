// Which pairs of processes wait for the network and not for a processor: these may wait at the same time.
import type { PlannedArm } from "../study/planned-arm.ts";

/** A small call takes one to two milliseconds of both processors: over this distance and more they are idle nine tenths of the time. */
const farFromMs = 20;

type LinkedArm = Pick<PlannedArm, "configuration" | "needs" | "plan">;

/** An arm whose connections are to be idle between its calls: others wait with it, and only its calls are made alone. */
export function waitsBetweenCalls({ plan }: Pick<LinkedArm, "plan">): boolean {
  return plan.idleMs !== undefined;
}

/**
 * True for an arm that may be warmed up beside others: its calls go far and are small, or it is about idle connections. Transfers over one link
 * would share it.
 */
export function mayWarmUpBeside(arm: LinkedArm): boolean {
  const { needs } = arm;
  const { link } = arm.configuration;
  const isFarAndSmall = !needs.includes("bulk") && link !== undefined && link.rttMs >= farFromMs;
  return isFarAndSmall || waitsBetweenCalls(arm);
}

/** True for an arm that may also be measured beside others. Arms about opening connections are measured alone. */
export function isFar(arm: LinkedArm): boolean {
  return waitsBetweenCalls(arm) || (mayWarmUpBeside(arm) && arm.needs.length === 0);
}

/**
 * How long after each other such pairs begin. Round-trip times are multiples of each other: pairs that began together would call together
 * ever after, and wait for the same processor.
 */
export function gapBetween(arms: readonly Pick<PlannedArm, "configuration">[]): number {
  const nearestMs = Math.min(...arms.map(({ configuration: { link } }) => link?.rttMs ?? farFromMs));
  return arms.length === 0 ? 0 : nearestMs / arms.length;
}
