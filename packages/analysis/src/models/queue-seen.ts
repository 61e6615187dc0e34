// What an arriving caller finds at a station: the one place where it matters how service times scatter.
import type { Station } from "./closed-network.ts";

/** Squared coefficient of variation: variance / mean². */
function scvOfService({ service }: Pick<Station, "service">): number {
  if (typeof service === "object") return service.scv;
  return service === "constant" ? 0 : 1;
}

/**
 * How much less than a mean service time is still to come of the service that is under way when somebody arrives: that is E[S²] / 2 E[S], as
 * a share of the mean (1 + C²) / 2. Exponential service has no memory, so all of a mean is to come, and of constant service half; where it
 * varies more, more than a mean, and the share is negative. For constant service A. M. Khandker, T. J. Teorey, "Case Study: How Modeling Revealed Serious Performance Problems
 * in Distributed (DCE) Systems" (1996), after M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window Flow
 * Control", IEEE Transactions on Communications 27 (1979).
 */
export function elapsedShare(station: Station): number {
  return (1 - scvOfService(station)) / 2;
}

/**
 * The work of one class, in milliseconds, that an arrival waits for: D (Q − h U), of Q = X R callers present, U = X D in service. Summed
 * over classes this is D Q, the arrival theorem's, where all ask the same, and Reiser's heuristic where they differ.
 */
export function workSeenMs(demandMs: number, residenceMs: number, throughputPerMs: number, elapsed: number): number {
  return demandMs * throughputPerMs * (residenceMs - elapsed * demandMs);
}
