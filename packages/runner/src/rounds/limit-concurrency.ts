// Pairs that fill a link take turns on it.
import type { PlannedArm } from "../study/planned-arm.ts";
import { linkKey } from "../study/link-settings.ts";

interface LinkedPair {
  readonly arms: readonly Pick<PlannedArm, "configuration" | "needs">[];
}

/** Whether a pair only moves bulk data. A single transfer, one pair at a time, prepares its connections. */
export function onlyMovesBulk({ arms }: LinkedPair): boolean {
  return arms.every(({ needs }) => needs.includes("bulk"));
}

/** The key of the link that a pair fills; undefined if it fills none. */
function lineOf({ arms }: LinkedPair): string | undefined {
  const bulky = arms.find(({ needs, configuration }) => needs.includes("bulk") && configuration.link !== undefined);
  return bulky?.configuration.link === undefined ? undefined : linkKey(bulky.configuration.link);
}

/** Runs the work of all pairs at once, except that pairs that fill the same link run one after the other. Rejects with the first failure. */
export async function serializePerLink<P extends LinkedPair>(
  pairs: readonly P[],
  work: (pair: P) => Promise<void>,
): Promise<void> {
  const lanes = Map.groupBy(pairs, (pair) => lineOf(pair) ?? pair);
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const pair of lane) await work(pair);
    }),
  );
}
