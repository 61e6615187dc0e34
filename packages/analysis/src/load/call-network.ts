// The closed network that a call passes: its client's processor, its server's, and what neither of them is busy with.
import type { ClosedNetwork } from "../models/closed-network.ts";
import { serviceWith, type Garbage } from "../metrics/garbage.ts";

/** What one call takes when nobody else calls: means, in milliseconds. */
export interface CallDemands {
  readonly roundTripMs: number;
  /** Processor time of the two processes. */
  readonly clientMs: number;
  readonly serverMs: number;
  /** What is left of the round trip: the network, and the time until a processor begins; nobody queues for it. */
  readonly delayMs: number;
  /**
   * Processor time beyond the round trip, of both: done after the caller has moved on, or beside what the other was doing. Others queue for
   * it all the same.
   */
  readonly phaseTwoMs: number;
}

/** A tenth of a microsecond: what is left of equal times is a rounding error, which is no time to queue for. */
const leastMs = 1e-4;

function timeOrNone(ms: number): number {
  return ms < leastMs ? 0 : ms;
}

export function callDemands(roundTripMs: number, clientMs: number, serverMs: number): CallDemands {
  const leftMs = roundTripMs - clientMs - serverMs;
  return { roundTripMs, clientMs, serverMs, delayMs: timeOrNone(leftMs), phaseTwoMs: timeOrNone(-leftMs) };
}

/** What each of the two processes collects of garbage. */
export interface CallGarbage {
  readonly client: Garbage;
  readonly server: Garbage;
}

/**
 * So many callers of such calls. Service is constant, as in the study of 1996, since equal calls take equal work; but for the garbage that some of
 * them meet.
 */
export function callNetwork(
  demands: CallDemands,
  garbage: CallGarbage,
  population: number,
  thinkMs: number,
): ClosedNetwork {
  const { clientMs, serverMs, delayMs, phaseTwoMs } = demands;
  const share = phaseTwoMs / (clientMs + serverMs);
  return {
    classes: [{ name: "callers", population, thinkMs, think: "exponential" }],
    stations: [
      {
        name: "client CPU",
        kind: "queue",
        service: serviceWith(garbage.client, clientMs),
        demands: [{ demandMs: clientMs, phaseTwoMs: share * clientMs }],
      },
      {
        name: "delay",
        kind: "delay",
        service: "constant",
        demands: [{ demandMs: delayMs, phaseTwoMs: 0 }],
      },
      {
        name: "server CPU",
        kind: "queue",
        service: serviceWith(garbage.server, serverMs),
        demands: [{ demandMs: serverMs, phaseTwoMs: share * serverMs }],
      },
    ],
  };
}
