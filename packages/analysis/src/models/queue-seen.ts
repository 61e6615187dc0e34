// What an arriving caller finds at a station: the one place where service times that are constant differ from exponential ones.
import type { Station } from "./closed-network.ts";

/**
 * How much of the service that is under way is over, on average, when somebody arrives. Exponential service has no memory, so all of it is
 * still to come; of constant service half is: A. M. Khandker, T. J. Teorey, "Case Study: How Modeling Revealed Serious Performance Problems
 * in Distributed (DCE) Systems" (1996), after M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window Flow
 * Control", IEEE Transactions on Communications 27 (1979).
 */
export function elapsedShare({ service }: Station): number {
  return service === "constant" ? 0.5 : 0;
}

/**
 * The work of one class, in milliseconds, that an arrival waits for: D (Q − h U), of Q = X R callers present, U = X D in service. Summed
 * over classes this is D Q, the arrival theorem's, where all ask the same, and Reiser's heuristic where they differ.
 */
export function workSeenMs(demandMs: number, residenceMs: number, throughputPerMs: number, elapsed: number): number {
  return demandMs * throughputPerMs * (residenceMs - elapsed * demandMs);
}
