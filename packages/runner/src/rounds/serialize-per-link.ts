// Bulk data of several pairs over one link would share its line: they overflow its queue, and what a congestion window lost there it does not
// grow back in a round. Such pairs take turns; all others need not.
import type { PlannedArm } from "../study/planned-arm.ts";
import { linkKey } from "../study/link-settings.ts";

interface LinkedPair {
  readonly arms: readonly Pick<PlannedArm, "configuration" | "needs">[];
}

/** Whether all that a pair does is to move bulk data: doing it once, one pair at a time, is what its connections need before they are measured. */
export function onlyMovesBulk({ arms }: LinkedPair): boolean {
  return arms.every(({ needs }) => needs.includes("bulk"));
}

/** The line that a pair fills; undefined where it fills none. */
function lineOf({ arms }: LinkedPair): string | undefined {
  const bulky = arms.find(({ needs, configuration }) => needs.includes("bulk") && configuration.link !== undefined);
  return bulky?.configuration.link === undefined ? undefined : linkKey(bulky.configuration.link);
}

/** Does the work of all pairs at once, and of those that fill the same line one after the other. Rejects with the first failure. */
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
