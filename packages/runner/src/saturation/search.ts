// Searches the capacity: doubles the rate until the server no longer keeps up, then bisects. The calls of the search are dropped.
import type { CapacityProbe } from "@roundtrip/analysis";

/** Beyond these a search ends: far below the rate of callers without pauses, it would find other work of the machine. */
const mostDoublings = 8;
const mostHalvings = 2;
/** A rate is too high after this many failed attempts in a row, because one disturbance is not a limit. Processes are warm during a search. */
const attempts = 2;
/** Each halves the range between the highest passed and the lowest failed rate, on a logarithmic scale: 9 % of a doubling remain. */
const bisections = 3;

/** The highest rate that passed, or the lowest tried if none did. */
export interface Found {
  readonly foundHz: number;
  /** Why no higher rate passed: calls took too long, the generator was too busy, or the search limit was reached. */
  readonly limitedBy: CapacityProbe["verdict"];
  readonly probes: readonly CapacityProbe[];
}

/** Doubles, then bisects: at most 8 doublings, 2 halvings and 3 bisections, each with at most two probes. */
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
