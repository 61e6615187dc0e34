// The closed network that a call passes, and what several callers see of it: its stations are the processors of client and server, and a delay.
import { serviceWith, type Garbage } from "../metrics/garbage.ts";
import type { ClosedNetwork } from "../models/closed-network.ts";
import { exactMva } from "../models/exact-mva.ts";

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

/** What a call was seen to take after so long without anything to do. Means, in milliseconds. */
export interface SeenDemand {
  readonly restMs: number;
  readonly demandMs: number;
}

/**
 * What a call takes after this rest: on the straight line between the two rests around it that were seen; what was seen at an end holds
 * beyond it. NaN where nothing was seen.
 */
export function demandAfter(seen: readonly SeenDemand[], restMs: number): number {
  const ascending = seen.toSorted((one, other) => one.restMs - other.restMs);
  const next = ascending.find((one) => one.restMs >= restMs) ?? ascending.at(-1);
  const last = ascending.findLast((one) => one.restMs <= restMs) ?? next;
  if (next === undefined || last === undefined) return Number.NaN;
  if (next.restMs <= last.restMs) return (next.demandMs + last.demandMs) / 2;
  const share = (restMs - last.restMs) / (next.restMs - last.restMs);
  return last.demandMs + share * (next.demandMs - last.demandMs);
}

/** What calls of one caller were seen to take. Each list holds at least what they take alone. */
interface SeenDemands {
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
