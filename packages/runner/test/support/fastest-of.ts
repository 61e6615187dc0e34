// The fastest round trip of several probes of a link: the one that other processes disturbed least.
import type { PingFacts } from "../../src/link/probe.ts";

/** In milliseconds; so many looks, one after the other. */
export async function fastestOf(looks: number, look: () => Promise<PingFacts>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let count = 0; count < looks; count += 1) leastMs = Math.min(leastMs, (await look()).leastRttMs);
  return leastMs;
}
