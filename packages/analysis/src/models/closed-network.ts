// A closed network: a fixed number of callers of each class, who think, visit every station once, and repeat.
import { AnalysisError } from "../basics/analysis-error.ts";
import { requireWhole, requireZeroOrPositive } from "./model-input.ts";

/** Distribution of times around their mean. */
export const timeKinds = ["exponential", "constant"] as const;

export type TimeKind = (typeof timeKinds)[number];

export interface CallerClass {
  readonly name: string;
  /** 0 leaves the class empty. */
  readonly population: number;
  /** Mean time between an answer and the next request. */
  readonly thinkMs: number;
  /** Matters only to a simulation: mean value analysis is valid for every distribution of think time. */
  readonly think: TimeKind;
}

/** What one round trip of a class demands of a station. */
export interface Demand {
  /** Mean service time of both phases; 0 for a class that does not visit the station. */
  readonly demandMs: number;
  /** The part served after the caller has moved on: it queues, but does not add to the round trip. */
  readonly phaseTwoMs: number;
}

export const stationKinds = ["queue", "delay"] as const;

/** `queue`: one server, first come first served. `delay`: as many servers as callers, so nobody waits. */
export type StationKind = (typeof stationKinds)[number];

/** Distribution of service times: its name, or its variance / mean² (0 for constant, 1 for exponential). */
export type ServiceDistribution = TimeKind | { readonly scv: number };

export interface Station {
  readonly name: string;
  readonly kind: StationKind;
  readonly service: ServiceDistribution;
  /** In the order of the classes. */
  readonly demands: readonly Demand[];
}

/** Callers visit the stations in this order. */
export interface ClosedNetwork {
  readonly classes: readonly CallerClass[];
  readonly stations: readonly Station[];
}

/** Bounds the time of a computation. */
export const networkLimits = { classes: 20, stations: 100, population: 1_000_000_000 } as const;

function checkDemand(where: string, kind: StationKind, { demandMs, phaseTwoMs }: Demand): void {
  requireZeroOrPositive(`the demand ${where}`, demandMs);
  requireZeroOrPositive(`the second phase ${where}`, phaseTwoMs);
  if (phaseTwoMs > demandMs) {
    throw new AnalysisError(
      "bad-option",
      `the second phase ${where} (${phaseTwoMs} ms) is longer than the demand (${demandMs} ms), which is both phases together`,
    );
  }
  if (phaseTwoMs > 0 && kind === "delay") {
    throw new AnalysisError(
      "bad-option",
      `the second phase ${where} changes nothing, as nobody waits at a delay: leave it out, and out of the demand`,
    );
  }
}

/** Throws `bad-option` for an invalid network: too many parts, a wrong number of demands, negative times, or a round trip of 0 ms. */
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

export function withClass(network: ClosedNetwork, name: string, change: Partial<CallerClass>): ClosedNetwork {
  return { ...network, classes: network.classes.map((one) => (one.name === name ? { ...one, ...change } : one)) };
}

function scvOfService({ service }: Pick<Station, "service">): number {
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
export function elapsedShare(station: Station): number {
  return (1 - scvOfService(station)) / 2;
}

/**
 * Returns the work of one class, in milliseconds, that an arrival waits for: D (Q − h U), with Q = X R callers present and U = X D in service. Summed
 * over classes this is the arrival theorem's D Q where demands are equal, and Reiser's heuristic where they differ.
 */
export function workSeenMs(demandMs: number, residenceMs: number, throughputPerMs: number, elapsed: number): number {
  return demandMs * throughputPerMs * (residenceMs - elapsed * demandMs);
}
