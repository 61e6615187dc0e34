// Which pairs of processes work at the same time: those that wait for the network and not for a processor, unless they fill the same link.
import { linkKey } from "../study/link-settings.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

/** A small call takes one to two milliseconds of both processors: from this distance on, they are idle nine tenths of the time. */
const farFromMs = 20;

type LinkedArm = Pick<PlannedArm, "configuration" | "needs" | "plan">;

/** An arm whose connections must be idle between its calls: others wait with it, and only its calls are made alone. */
export function waitsBetweenCalls({ plan }: Pick<LinkedArm, "plan">): boolean {
  return plan.idleMs !== undefined;
}

function isFar({ link }: Pick<PlannedArm["configuration"], "link">): boolean {
  return link !== undefined && link.rttMs >= farFromMs;
}

/** True for an arm that may be warmed up beside others: far and small calls, or about idle connections. Transfers over one link would share it. */
export function mayWarmUpConcurrently(arm: LinkedArm): boolean {
  return (!arm.needs.includes("bulk") && isFar(arm.configuration)) || waitsBetweenCalls(arm);
}

/** From this distance on, a new connection or a transfer, of some milliseconds of both processors in several round trips, is idle as much. */
const veryFarFromMs = 100;

/**
 * Which others an arm is measured beside. Small far calls wait together; so do, apart from them, new connections and transfers that go very far, unless
 * they fill their link. All else is measured alone.
 */
export function companyOf(arm: LinkedArm): "none" | "waiting" | "transferring" {
  if (waitsBetweenCalls(arm)) return "waiting";
  const { needs, configuration } = arm;
  if (needs.length === 0) return isFar(configuration) ? "waiting" : "none";
  const { rttMs = 0, bandwidthMbps } = configuration.link ?? {};
  return rttMs >= veryFarFromMs && bandwidthMbps === undefined ? "transferring" : "none";
}

/** Between the starts of such pairs. Round trips are multiples of each other: pairs that start together would compete at each call. */
export function gapBetween(arms: readonly Pick<PlannedArm, "configuration">[]): number {
  const nearestMs = Math.min(...arms.map(({ configuration: { link } }) => link?.rttMs ?? farFromMs));
  return arms.length === 0 ? 0 : nearestMs / arms.length;
}

interface LinkedPair {
  readonly arms: readonly Pick<PlannedArm, "configuration" | "needs">[];
  /** Whether bursts lose packets in the emulator of its link. */
  readonly hasSmallBuffers: boolean;
}

/** Whether a pair only moves bulk data. A single transfer, one pair at a time, prepares its connections. */
export function onlyMovesBulk({ arms }: Pick<LinkedPair, "arms">): boolean {
  return arms.every(({ needs }) => needs.includes("bulk"));
}

/**
 * The key of the link that a pair fills; undefined if it fills none. Transfers share a bandwidth and small buffers, and over a near link the processor of
 * its emulator; over others they only wait.
 */
function linkFilledBy({ arms, hasSmallBuffers }: LinkedPair): string | undefined {
  const link = arms.find(({ needs }) => needs.includes("bulk"))?.configuration.link;
  if (link === undefined) return undefined;
  const onlyWaits = isFar({ link }) && link.bandwidthMbps === undefined && !hasSmallBuffers;
  return onlyWaits ? undefined : linkKey(link);
}

/** True for a pair whose transfers only wait for the network: others may start meanwhile. */
export function mayTransferConcurrently(pair: LinkedPair): boolean {
  return linkFilledBy(pair) === undefined && pair.arms.every(({ configuration }) => isFar(configuration));
}

/** Runs the work of all pairs at once, except that pairs that fill the same link run one after the other. Rejects with the first failure. */
export async function serializePerLink<P extends LinkedPair>(
  pairs: readonly P[],
  work: (pair: P) => Promise<void>,
): Promise<void> {
  const byLink = Map.groupBy(pairs, (pair) => linkFilledBy(pair) ?? pair);
  await Promise.all(
    [...byLink.values()].map(async (pairsOfLink) => {
      for (const pair of pairsOfLink) await work(pair);
    }),
  );
}
