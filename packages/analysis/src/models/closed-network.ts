// A closed network: a fixed number of callers of each class, who think, pass every station once, and think again.
import { AnalysisError } from "../basics/analysis-error.ts";
import { requireWhole, requireZeroOrPositive } from "./model-input.ts";

/** How times scatter around their mean. */
export const timeKinds = ["exponential", "constant"] as const;

export type TimeKind = (typeof timeKinds)[number];

/** Callers that are alike. */
export interface CallerClass {
  readonly name: string;
  /** How many there are; 0 leaves the class empty. */
  readonly population: number;
  /** Mean time between an answer and the next request. */
  readonly thinkMs: number;
  /** Only a simulation distinguishes them: mean value analysis holds for every distribution of thinking. */
  readonly think: TimeKind;
}

/** What one round trip of a class asks of a station. */
export interface Demand {
  /** Mean service time, both phases together; 0 for a class that does not come here. */
  readonly demandMs: number;
  /** The part of it that the station works on after the caller has moved on: it queues, but is not in the round trip. */
  readonly phaseTwoMs: number;
}

export const stationKinds = ["queue", "delay"] as const;

/** `queue`: one server, first come first served. `delay`: as many servers as callers, so nobody waits. */
export type StationKind = (typeof stationKinds)[number];

/** By what is known of service times: that they are exponential, or constant; or variance / mean², 0 for constant and 1 for exponential. */
export type ServiceDistribution = TimeKind | { readonly scv: number };

export interface Station {
  readonly name: string;
  readonly kind: StationKind;
  readonly service: ServiceDistribution;
  /** In the order of the classes. */
  readonly demands: readonly Demand[];
}

/** Callers pass the stations in the order given. */
export interface ClosedNetwork {
  readonly classes: readonly CallerClass[];
  readonly stations: readonly Station[];
}

/** So that no network can be computed for ever. */
export const networkLimits = { classes: 20, stations: 100, population: 1_000_000_000 } as const;

function checkDemand(place: string, kind: StationKind, { demandMs, phaseTwoMs }: Demand): void {
  requireZeroOrPositive(`the demand ${place}`, demandMs);
  requireZeroOrPositive(`the second phase ${place}`, phaseTwoMs);
  if (phaseTwoMs > demandMs) {
    throw new AnalysisError(
      "bad-option",
      `the second phase ${place} (${phaseTwoMs} ms) is longer than the demand (${demandMs} ms), which is both phases together`,
    );
  }
  if (phaseTwoMs > 0 && kind === "delay") {
    throw new AnalysisError(
      "bad-option",
      `the second phase ${place} changes nothing, as nobody waits at a delay: leave it out, and out of the demand`,
    );
  }
}

/** Throws `bad-option` for what is no network: too many parts, demands for other classes, times that are negative, a round trip of no time. */
export function checkNetwork({ classes, stations }: ClosedNetwork): void {
  requireWhole("the number of classes", classes.length, 1, networkLimits.classes);
  requireWhole("the number of stations", stations.length, 1, networkLimits.stations);
  for (const station of stations) {
    if (station.demands.length === classes.length) continue;
    throw new AnalysisError(
      "bad-option",
      `${station.name} has ${station.demands.length} demands for ${classes.length} classes`,
    );
  }
  classes.forEach(({ name, population, thinkMs }, index) => {
    requireWhole(`the population of ${name}`, population, 0, networkLimits.population);
    requireZeroOrPositive(`the think time of ${name}`, thinkMs);
    const demands = stations.map((station) => {
      const demand = station.demands[index] as Demand;
      checkDemand(`of ${name} at ${station.name}`, station.kind, demand);
      return demand.demandMs;
    });
    if (demands.every((demandMs) => demandMs === 0)) {
      throw new AnalysisError(
        "bad-option",
        `${name} asks nothing of any station: give it a demand, or leave the class out`,
      );
    }
  });
}

/** The same network with other callers. */
export function withClass(network: ClosedNetwork, name: string, change: Partial<CallerClass>): ClosedNetwork {
  return { ...network, classes: network.classes.map((one) => (one.name === name ? { ...one, ...change } : one)) };
}

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
