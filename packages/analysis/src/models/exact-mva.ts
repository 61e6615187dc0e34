// Mean value analysis by exact recursion over all populations up to the network's own, and the bounds of every network from its demands.
import { sum } from "d3-array";
import { AnalysisError } from "../basics/analysis-error.ts";
import { counted } from "../basics/words.ts";
import { checkNetwork, type ClosedNetwork, type Station } from "./closed-network.ts";

export interface StationPrediction {
  readonly name: string;
  /** Share of time that the server is busy; null for a delay, which has no server. */
  readonly utilisation: number | null;
  /** Mean number of callers waiting or in service, including second phases of those that moved on. */
  readonly present: number;
  /** Mean time per round trip, waiting and both phases. */
  readonly residenceMs: number;
}

export interface ClosedPrediction {
  /** Round trips per second of all callers. */
  readonly throughputHz: number;
  /** From request to answer. */
  readonly roundTripMs: number;
  readonly stations: readonly StationPrediction[];
  /** Why the figures are not exact; empty when they are. */
  readonly approximations: readonly string[];
}

function scvOfService({ service }: Station): number {
  if (typeof service === "object") return service.scv;
  return service === "constant" ? 0 : 1;
}

/**
 * Returns how much less than a mean service time remains of the service in progress at an arrival, as a share of the mean. The remainder is E[S²] / 2
 * E[S] = (1 + C²) / 2 means: a whole mean for exponential service, half for constant service. Where service varies more, the share is negative. For
 * constant service: A. M. Khandker, T. J. Teorey, "Case Study: How Modeling Revealed Serious Performance Problems in Distributed (DCE) Systems"
 * (1996), after M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window Flow Control", IEEE Transactions on
 * Communications 27 (1979).
 */
function elapsedShare(station: Station): number {
  return (1 - scvOfService(station)) / 2;
}

function approximationsOf({ stations }: ClosedNetwork): readonly string[] {
  const queues = stations.filter(({ kind }) => kind === "queue");
  return [
    ...(queues.some(({ service }) => service === "constant")
      ? ["constant service times are met by half a utilisation less"]
      : []),
    ...(queues.some(({ service }) => typeof service === "object")
      ? ["service times that vary are met by what is left, on average, of the one under way"]
      : []),
    ...(queues.some(({ phaseTwoMs }) => phaseTwoMs > 0)
      ? ["second phases are queued for as if callers stayed for them"]
      : []),
  ];
}

/** Populations × stations: less than a second. */
const mostSteps = 20_000_000;

/**
 * Exact for product-form networks: exponential queues, delays, any think time. M. Reiser, S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain
 * Queuing Networks", Journal of the ACM 27 (1980). Constant service and second phases are approximated as in the study of 1996 and by Reiser (1979),
 * as the prediction states. With constant service the utilisation of a saturated station may exceed 1, by at most about 1 / 2N. Throws `bad-option`
 * for an invalid network and `too-large` for a slow one.
 */
export function exactMva(network: ClosedNetwork): ClosedPrediction {
  checkNetwork(network);
  const { population, thinkMs, stations } = network;
  if (population * stations.length > mostSteps) {
    const size = `${counted(population, "caller")} at ${counted(stations.length, "station")}`;
    throw new AnalysisError("too-large", `exact mean value analysis of ${size} would take too long; use fewer callers`);
  }
  const demandMs = Float64Array.from(stations, (station) => station.demandMs);
  const elapsed = Float64Array.from(stations, elapsedShare);
  // Nobody waits at a delay.
  const queues = Float64Array.from(stations, ({ kind }) => Number(kind === "queue"));
  const residenceMs = new Float64Array(stations.length);
  /** The work that an arrival waits for: D (Q − h U), with Q = X R callers present and U = X D in service. */
  const seenMs = new Float64Array(stations.length);
  let perMs = 0;
  for (let callers = 1; callers <= population; callers += 1) {
    let cycleMs = thinkMs;
    for (let at = 0; at < stations.length; at += 1) {
      residenceMs[at] = (demandMs[at] as number) + (queues[at] as number) * (seenMs[at] as number);
      cycleMs += residenceMs[at] as number;
    }
    perMs = callers / cycleMs;
    for (let at = 0; at < stations.length; at += 1) {
      const own = demandMs[at] as number;
      seenMs[at] = own * perMs * ((residenceMs[at] as number) - (elapsed[at] as number) * own);
    }
  }
  return {
    throughputHz: 1_000 * perMs,
    roundTripMs: sum(residenceMs) - sum(stations, ({ phaseTwoMs }) => phaseTwoMs),
    stations: stations.map(({ name, kind, demandMs: own }, at) => ({
      name,
      utilisation: kind === "delay" ? null : perMs * own,
      present: perMs * (residenceMs[at] as number),
      residenceMs: residenceMs[at] as number,
    })),
    approximations: approximationsOf(network),
  };
}

export interface AsymptoticBounds {
  /** The station with the largest demand; null for a network of delays. */
  readonly bottleneck: string | null;
  /** The maximum round trips per second of that station; null without a bottleneck. */
  readonly ceilingHz: number | null;
  /** Callers that would keep the bottleneck busy if they never met: N* = (Z + Σ D) / D max; null without a bottleneck. */
  readonly knee: number | null;
}

/** P. J. Denning, J. P. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10 (1978). */
export function asymptoticBounds({ thinkMs, stations }: ClosedNetwork): AsymptoticBounds {
  const queues = stations.filter(({ kind, demandMs }) => kind === "queue" && demandMs > 0);
  const [busiest] = queues.toSorted((one, other) => other.demandMs - one.demandMs);
  if (busiest === undefined) return { bottleneck: null, ceilingHz: null, knee: null };
  const cycleMs = thinkMs + sum(stations, ({ demandMs }) => demandMs);
  return { bottleneck: busiest.name, ceilingHz: 1_000 / busiest.demandMs, knee: cycleMs / busiest.demandMs };
}

/**
 * Returns the prediction, or one in which the busiest station is busy all the time and callers wait there for the rest of the cycle: the
 * approximation of constant service may exceed X = 1 / D max, which no network does.
 */
export function withinCapacity(network: ClosedNetwork, prediction: ClosedPrediction): ClosedPrediction {
  const { bottleneck, ceilingHz } = asymptoticBounds(network);
  const { throughputHz, roundTripMs, stations, approximations } = prediction;
  if (ceilingHz === null || throughputHz <= ceilingHz) return prediction;
  const addedMs = 1_000 * network.population * (1 / ceilingHz - 1 / throughputHz);
  return {
    throughputHz: ceilingHz,
    roundTripMs: roundTripMs + addedMs,
    stations: stations.map((station) => {
      const residenceMs = station.residenceMs + (station.name === bottleneck ? addedMs : 0);
      const utilisation = station.utilisation === null ? null : (station.utilisation * ceilingHz) / throughputHz;
      return { name: station.name, utilisation, present: (residenceMs * ceilingHz) / 1_000, residenceMs };
    }),
    approximations: [...approximations, "no station is taken to be busier than all the time"],
  };
}
