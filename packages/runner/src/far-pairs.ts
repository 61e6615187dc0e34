// Which pairs of processes wait for the network and not for a processor: these may wait at the same time.
import type { Arm } from "./arm.ts";

/** A small call takes one to two milliseconds of both processors: over this distance and more they are idle nine tenths of the time. */
const farFromMs = 20;

/**
 * True for an arm whose calls are small and go far. What moves much, or measures how a connection is opened, is never: transfers over one
 * link would share it.
 */
export function isFar({ configuration: { link }, needs }: Pick<Arm, "configuration" | "needs">): boolean {
  return needs.length === 0 && (link?.rttMs ?? 0) >= farFromMs;
}

/**
 * How long after each other such pairs begin. Round-trip times are multiples of each other: pairs that began together would call together
 * ever after, and wait for the same processor.
 */
export function gapBetween(arms: readonly Pick<Arm, "configuration">[]): number {
  const nearestMs = Math.min(...arms.map(({ configuration: { link } }) => link?.rttMs ?? farFromMs));
  return arms.length === 0 ? 0 : nearestMs / arms.length;
}
