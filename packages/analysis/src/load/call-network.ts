// The closed network of a call, and the latency that several callers see. Stations: the processors of client and server, and a delay.
import { serviceWith, type Garbage } from "../metrics/garbage.ts";
import type { ClosedNetwork, Station } from "../models/closed-network.ts";
import { exactMva, type ClosedPrediction } from "../models/exact-mva.ts";

/** Means of a call of a single caller, in milliseconds. */
export interface CallDemands {
  readonly roundTripMs: number;
  /** Processor time of the two processes. */
  readonly clientMs: number;
  readonly serverMs: number;
  /** The rest of the round trip, without queueing: the network, and the time until a processor starts. */
  readonly delayMs: number;
  /** Processor time of both beyond the round trip: after the caller has moved on, or parallel to the other process. Other calls queue for it. */
  readonly phaseTwoMs: number;
}

/** A tenth of a microsecond. A smaller difference of equal times is a rounding error. */
const leastMs = 1e-4;

function zeroIfNegligible(ms: number): number {
  return ms < leastMs ? 0 : ms;
}

export function callDemands(roundTripMs: number, clientMs: number, serverMs: number): CallDemands {
  const leftMs = roundTripMs - clientMs - serverMs;
  return { roundTripMs, clientMs, serverMs, delayMs: zeroIfNegligible(leftMs), phaseTwoMs: zeroIfNegligible(-leftMs) };
}

export interface CallGarbage {
  readonly client: Garbage;
  readonly server: Garbage;
}

/** The callers of a network, and what they share. */
export interface Callers {
  readonly population: number;
  /** Mean, in milliseconds. */
  readonly thinkMs: number;
  /** Whether callers think with the client's processor: exponential work, behind that of a call. Absent if they wait. */
  readonly isWork?: boolean;
  /** Calls that a caller makes one after the other between two pauses; absent for one. Garbage is counted per call. */
  readonly callsPerTask?: number;
  /** Whether each has a client process and processor of its own, so that none waits for another's; absent if all share one, as in a run. */
  readonly haveOwnClients?: boolean;
}

function clientStation({ clientMs }: CallDemands, share: number, { client }: CallGarbage, callers: Callers): Station {
  const name = "client CPU";
  // Nobody waits for the second phase of a processor of one's own.
  if (callers.haveOwnClients === true) {
    return { name, kind: "delay", service: "constant", demandMs: (1 - share) * clientMs, phaseTwoMs: 0 };
  }
  if (callers.isWork === true) {
    // Exponential work and an exponential call, one after the other.
    const demandMs = clientMs + callers.thinkMs;
    const phaseTwoMs = share * clientMs + callers.thinkMs;
    const scv = (clientMs ** 2 + callers.thinkMs ** 2) / demandMs ** 2;
    return { name, kind: "queue", service: { scv }, demandMs, phaseTwoMs };
  }
  const service = serviceWith(client, clientMs / (callers.callsPerTask ?? 1));
  return { name, kind: "queue", service, demandMs: clientMs, phaseTwoMs: share * clientMs };
}

/** The study of 1996 took constant service. That of Node.js varies, see {@link serviceWith}. */
export function callNetwork(demands: CallDemands, garbage: CallGarbage, callers: Callers): ClosedNetwork {
  const { clientMs, serverMs, delayMs, phaseTwoMs } = demands;
  const { population, thinkMs, callsPerTask = 1 } = callers;
  const share = phaseTwoMs / (clientMs + serverMs);
  return {
    population,
    thinkMs: callers.isWork === true ? 0 : thinkMs,
    think: "exponential",
    stations: [
      clientStation(demands, share, garbage, callers),
      { name: "delay", kind: "delay", service: "constant", demandMs: delayMs, phaseTwoMs: 0 },
      {
        name: "server CPU",
        kind: "queue",
        service: serviceWith(garbage.server, serverMs / callsPerTask),
        demandMs: serverMs,
        phaseTwoMs: share * serverMs,
      },
    ],
  };
}

/** Mean demand measured after a rest of the processor, in milliseconds. */
export interface DemandAfterRest {
  readonly restMs: number;
  readonly demandMs: number;
}

/** Interpolates the demand linearly between the two nearest rests measured; constant beyond the ends, NaN without measurements. */
export function demandAfter(seen: readonly DemandAfterRest[], restMs: number): number {
  const ascending = seen.toSorted((one, other) => one.restMs - other.restMs);
  const next = ascending.find((one) => one.restMs >= restMs) ?? ascending.at(-1);
  const last = ascending.findLast((one) => one.restMs <= restMs) ?? next;
  if (next === undefined || last === undefined) return Number.NaN;
  if (next.restMs <= last.restMs) return (next.demandMs + last.demandMs) / 2;
  const share = (restMs - last.restMs) / (next.restMs - last.restMs);
  return last.demandMs + share * (next.demandMs - last.demandMs);
}

/** Measured demands of calls of one caller. Each list contains at least the demand without think time. */
export interface SeenDemands {
  readonly alone: CallDemands;
  readonly client: readonly DemandAfterRest[];
  readonly server: readonly DemandAfterRest[];
  /** Garbage collection, which takes its share of these demands in few large pieces. */
  readonly garbage: CallGarbage;
}

const mostSteps = 200;
/** Relative change of a demand at which the iteration stops. */
const tolerance = 1e-6;

/**
 * Predicts callers. Load-dependent demands are taken at the load itself, as in A. Kattepur, M. Nambiar, "Performance Modeling of Multi-tiered Web
 * Applications with Varying Service Demands" (2015). They vary here with the rest of a processor between two calls, (Z + R) / N − D, which a single
 * caller can also produce. The delay and the share of the second phase are those of the single caller. Throws like the method.
 */
export function callersPrediction(
  { alone, client, server, garbage }: SeenDemands,
  callers: Callers,
  method: (network: ClosedNetwork) => ClosedPrediction = exactMva,
): ClosedPrediction {
  const { population, thinkMs, haveOwnClients = false } = callers;
  const share = alone.phaseTwoMs / (alone.clientMs + alone.serverMs);
  let { clientMs, serverMs } = alone;
  for (let step = 0; ; step += 1) {
    const demands = { ...alone, clientMs, serverMs, phaseTwoMs: share * (clientMs + serverMs) };
    const prediction = method(callNetwork(demands, garbage, callers));
    const betweenMs = (thinkMs + prediction.roundTripMs) / population;
    const nextClientMs = haveOwnClients ? clientMs : demandAfter(client, betweenMs - clientMs);
    const nextServerMs = demandAfter(server, betweenMs - serverMs);
    const moved = Math.max(Math.abs(nextClientMs / clientMs - 1), Math.abs(nextServerMs / serverMs - 1));
    if (!(moved > tolerance) || step === mostSteps) return prediction;
    // Half steps keep the iteration stable: more rest means more demand, which leaves less rest.
    clientMs = (clientMs + nextClientMs) / 2;
    serverMs = (serverMs + nextServerMs) / 2;
  }
}

/** The mean round trip of this many callers of one client process, in milliseconds. */
export function callersRoundTripMs(seen: SeenDemands, population: number, thinkMs: number, isWork = false): number {
  return callersPrediction(seen, { population, thinkMs, isWork }).roundTripMs;
}
