// The prediction of a closed-network model, from the residence time of a round trip at each station.
import type { CallerClass, ClosedNetwork, Demand, Station } from "./closed-network.ts";

export interface ClassPrediction {
  readonly name: string;
  readonly population: number;
  readonly thinkMs: number;
  /** Round trips per second of all callers of the class. */
  readonly throughputHz: number;
  /** From request to answer; null without callers. */
  readonly roundTripMs: number | null;
}

export interface StationPrediction {
  readonly name: string;
  /** Share of time that the server is busy; null for a delay, which has no server. */
  readonly utilisation: number | null;
  /** Mean number of callers waiting or in service, by class, including second phases of those that moved on. */
  readonly present: readonly number[];
  /** Mean time per round trip, waiting and both phases, by class; null without callers. */
  readonly residenceMs: readonly (number | null)[];
}

export interface ClosedPrediction {
  readonly classes: readonly ClassPrediction[];
  readonly stations: readonly StationPrediction[];
  /** Why the figures are not exact; empty when they are. */
  readonly approximations: readonly string[];
}

/** Residence time at station `station` of class `caller`, at the network's full population. */
export type ResidenceMs = (station: number, caller: number) => number;

function approximationsOf({ classes, stations }: ClosedNetwork): readonly string[] {
  const queues = stations.filter(({ kind }) => kind === "queue");
  const has = (matters: (station: Station) => boolean): boolean => queues.some(matters);
  const served = ({ demands }: Station): readonly number[] =>
    demands
      .filter(({ demandMs }, index) => demandMs > 0 && (classes[index] as CallerClass).population > 0)
      .map(({ demandMs }) => demandMs);
  return [
    ...(has(({ service }) => service === "constant")
      ? ["constant service times are met by half a utilisation less"]
      : []),
    ...(has(({ service }) => typeof service === "object")
      ? ["service times that vary are met by what is left, on average, of the one under way"]
      : []),
    ...(has(({ demands }) => demands.some(({ phaseTwoMs }) => phaseTwoMs > 0))
      ? ["second phases are queued for as if callers stayed for them"]
      : []),
    ...(has((station) => new Set(served(station)).size > 1)
      ? ["classes with different service times at one queue are met in proportion to their presence"]
      : []),
  ];
}

function demandOf({ demands }: Station, caller: number): Demand {
  return demands[caller] as Demand;
}

/** Uses throughput = N / (Z + Σ R), Little's law and the utilisation law. `more` are the method's own approximations. */
export function closedPrediction(
  network: ClosedNetwork,
  residenceMs: ResidenceMs,
  more: readonly string[],
): ClosedPrediction {
  const { classes, stations } = network;
  const cycles = classes.map(({ population, thinkMs }, caller) => {
    const residence = stations.reduce((sum, _, station) => sum + residenceMs(station, caller), 0);
    return { residence, perMs: population === 0 ? 0 : population / (thinkMs + residence) };
  });
  const sumOver = (value: (caller: number) => number): number =>
    classes.reduce((sum, _, caller) => sum + value(caller), 0);
  const perMs = (caller: number): number => cycles[caller]?.perMs ?? 0;
  return {
    classes: classes.map(({ name, population, thinkMs }, caller) => {
      const later = stations.reduce((sum, station) => sum + demandOf(station, caller).phaseTwoMs, 0);
      const roundTripMs = population === 0 ? null : (cycles[caller]?.residence ?? 0) - later;
      return { name, population, thinkMs, throughputHz: 1_000 * perMs(caller), roundTripMs };
    }),
    stations: stations.map((station, stationIndex) => ({
      name: station.name,
      utilisation:
        station.kind === "delay" ? null : sumOver((caller) => perMs(caller) * demandOf(station, caller).demandMs),
      present: classes.map((_, caller) => perMs(caller) * residenceMs(stationIndex, caller)),
      residenceMs: classes.map(({ population }, caller) =>
        population === 0 ? null : residenceMs(stationIndex, caller),
      ),
    })),
    approximations: [...approximationsOf(network), ...more],
  };
}
