// Converts the models' networks to simulated networks.
import type { CallerClass, ClosedNetwork, ServiceDistribution, Station } from "../closed-network.ts";
import type { SimulatedNetwork, SimulatedStation, Source, Times } from "./simulated-network.ts";

interface OpenLoad {
  readonly rateHz: number;
  readonly serviceMs: number;
  readonly serviceScv: number;
  readonly servers: number;
}

/** One open queue: M/M/c where the service's squared coefficient of variation is 1, otherwise M/G/c. */
export function simulatedQueue({ rateHz, serviceMs, serviceScv, servers }: OpenLoad): SimulatedNetwork {
  const phaseOne: Times =
    serviceScv === 1
      ? { kind: "exponential", meanMs: serviceMs }
      : { kind: "gamma", meanMs: serviceMs, scv: serviceScv };
  const service = { phaseOne, phaseTwo: { kind: "constant", meanMs: 0 } } as const;
  return {
    sources: [{ kind: "open", name: "requests", rateHz }],
    stations: [{ name: "server", servers, services: [service] }],
  };
}

function sourceOf({ name, population, thinkMs, think }: CallerClass): Source {
  return { kind: "closed", name, population, think: { kind: think, meanMs: thinkMs } };
}

function timesOf(service: ServiceDistribution, meanMs: number): Times {
  return typeof service === "object" ? { kind: "gamma", meanMs, scv: service.scv } : { kind: service, meanMs };
}

function stationOf({ name, kind, service, demands }: Station): SimulatedStation {
  return {
    name,
    servers: kind === "delay" ? Infinity : 1,
    services: demands.map(({ demandMs, phaseTwoMs }) =>
      demandMs === 0
        ? null
        : {
            phaseOne: timesOf(service, demandMs - phaseTwoMs),
            phaseTwo: timesOf(service, phaseTwoMs),
          },
    ),
  };
}

/** A closed network with both phases: callers move on after the first. */
export function simulatedNetwork({ classes, stations }: ClosedNetwork): SimulatedNetwork {
  return { sources: classes.map(sourceOf), stations: stations.map(stationOf) };
}
