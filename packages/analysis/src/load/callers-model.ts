// What several callers see, by mean value analysis of demands that depend on how long the processors rest between calls: one is found with the
// other.
import { exactMva } from "../models/exact-mva.ts";
import { callNetwork, type CallDemands, type CallGarbage } from "./call-network.ts";
import { demandAfter, type SeenDemand } from "./rested-demand.ts";

/** What calls of one caller were seen to take. Each list holds at least what they take alone. */
export interface SeenDemands {
  /** The caller who does not think: its round trip, and what both processors take of it. */
  readonly alone: CallDemands;
  readonly client: readonly SeenDemand[];
  readonly server: readonly SeenDemand[];
  /** What of these demands came in few large pieces. */
  readonly garbage: CallGarbage;
}

const mostSteps = 200;
/** Relative change of a demand below which it stands. */
const tolerance = 1e-6;

/**
 * The mean round trip of so many callers, in milliseconds. Demands that vary with the load are those of the load at which they are asked for,
 * as in A. Kattepur, M. Nambiar, "Performance Modeling of Multi-tiered Web Applications with Varying Service Demands" (2015). What they vary
 * with here is the rest of a processor between two calls, (Z + R) / N − D, which a single caller can give it, too. The delay, and the share
 * of the second phase, are those of the caller alone.
 */
export function callersRoundTripMs(
  { alone, client, server, garbage }: SeenDemands,
  callers: number,
  thinkMs: number,
): number {
  const share = alone.phaseTwoMs / (alone.clientMs + alone.serverMs);
  let { clientMs, serverMs } = alone;
  for (let step = 0; ; step += 1) {
    const demands = { ...alone, clientMs, serverMs, phaseTwoMs: share * (clientMs + serverMs) };
    const roundTripMs = exactMva(callNetwork(demands, garbage, callers, thinkMs)).classes[0]?.roundTripMs ?? Number.NaN;
    const betweenMs = (thinkMs + roundTripMs) / callers;
    const nextClientMs = demandAfter(client, betweenMs - clientMs);
    const nextServerMs = demandAfter(server, betweenMs - serverMs);
    const moved = Math.max(Math.abs(nextClientMs / clientMs - 1), Math.abs(nextServerMs / serverMs - 1));
    if (!(moved > tolerance) || step === mostSteps) return roundTripMs;
    // Half of the way: more rest means more demand, which leaves less rest.
    clientMs = (clientMs + nextClientMs) / 2;
    serverMs = (serverMs + nextServerMs) / 2;
  }
}
