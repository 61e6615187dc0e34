// Searches the capacity: doubles the rate until the server no longer keeps up, then bisects. The calls of the search are dropped.
import type { CapacityProbe } from "@roundtrip/analysis";

/** Beyond these a search gives up: far below what callers get who never pause, it is the machine's other work that it would find. */
const mostDoublings = 8;
const mostHalvings = 2;
/** A rate is too much when it was not kept so often in a row: one disturbance is no limit. Processes are warm when they are searched. */
const attempts = 2;
/** Each halves what is between the highest rate that was kept and the lowest that was not, on a logarithmic scale: 9 % are left of a doubling. */
const bisections = 3;

/** What was found: the highest rate that was kept, or the lowest that was tried when none was. */
export interface Found {
  readonly foundHz: number;
  /** Why more was not kept: calls took too long, the generator had no time left, or the search limit was reached. */
  readonly limitedBy: CapacityProbe["verdict"];
  readonly probes: readonly CapacityProbe[];
}

/**
 * Double, then bisect: at most 8 doublings, 2 halvings and 3 bisections, each of two probes at most.
 */
export async function searchCapacity(
  fromHz: number,
  probe: (rateHz: number) => Promise<CapacityProbe>,
): Promise<Found> {
  const probes: CapacityProbe[] = [];
  let limitedBy: Found["limitedBy"] = "kept";
  const keeps = async (rateHz: number): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const seen = await probe(rateHz);
      probes.push(seen);
      if (seen.verdict === "kept") return true;
      limitedBy = seen.verdict;
    }
    return false;
  };
  let [kept, exceeded] = [0, Number.POSITIVE_INFINITY];
  let rateHz = fromHz;
  for (let step = 0; step <= mostDoublings && exceeded === Number.POSITIVE_INFINITY; step += 1, rateHz *= 2) {
    if (await keeps(rateHz)) kept = rateHz;
    else exceeded = rateHz;
  }
  for (let step = 0; step < mostHalvings && kept === 0; step += 1) {
    if (await keeps(exceeded / 2)) kept = exceeded / 2;
    else exceeded /= 2;
  }
  for (let step = 0; step < bisections && kept > 0 && exceeded < Number.POSITIVE_INFINITY; step += 1) {
    const between = Math.sqrt(kept * exceeded);
    if (await keeps(between)) kept = between;
    else exceeded = between;
  }
  return { foundHz: kept > 0 ? kept : exceeded, limitedBy, probes };
}
