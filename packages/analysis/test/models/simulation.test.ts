// The simulation, held against every exact result: it shares no formula with them, so both are right or both are wrong alike.
import { describe, expect, it } from "vitest";
import { exactMva, mm1, mmc, readClosedNetwork, simulate, simulatedNetwork, simulatedQueue } from "../../src/models.ts";
import { apart } from "./apart.ts";

const options = { seed: 11, roundTrips: 200_000 };

describe("the simulation agrees within 3 %", () => {
  it.each([
    [30, 1],
    [60, 1],
    [75, 1],
    [150, 2],
    [300, 4],
    [1_200, 16],
  ])("with an open queue at %i per second of 10 ms and %i servers, percentiles too", (rateHz, servers) => {
    const load = { rateHz, serviceMs: 10, servers };
    const exact = servers === 1 ? mm1(load) : mmc(load);
    const { responseMs, throughputHz, percentilesMs, stations } = simulate(simulatedQueue(load), options);
    expect(apart(responseMs, exact.responseMs)).toBeLessThan(0.03);
    expect(apart(throughputHz, exact.rateHz)).toBeLessThan(0.03);
    expect(apart(stations[0]?.utilisation, exact.utilisation)).toBeLessThan(0.03);
    expect(apart(stations[0]?.present, exact.present)).toBeLessThan(0.03);
    for (const name of ["p50", "p90", "p95", "p99"] as const)
      expect(apart(percentilesMs[name], exact.percentilesMs[name])).toBeLessThan(0.05);
  });

  it("with exact mean value analysis, station by station", () => {
    const network = readClosedNetwork({
      population: 6,
      thinkMs: 15,
      stations: [
        { name: "client CPU", demandMs: 4 },
        { name: "network", kind: "delay", demandMs: 6 },
        { name: "server CPU", demandMs: 5 },
      ],
    });
    const [simulation, exact] = [simulate(simulatedNetwork(network), options), exactMva(network)];
    expect(exact.approximations).toEqual([]);
    expect(apart(simulation.responseMs, exact.roundTripMs)).toBeLessThan(0.03);
    expect(apart(simulation.throughputHz, exact.throughputHz)).toBeLessThan(0.03);
    exact.stations.forEach(({ present, utilisation }, place) => {
      expect(apart(simulation.stations[place]?.present, present)).toBeLessThan(0.03);
      // A delay has none in both.
      expect(apart(simulation.stations[place]?.utilisation ?? 1, utilisation ?? 1)).toBeLessThan(0.03);
    });
  });
});

describe("the simulation", () => {
  const queue = simulatedQueue({ rateHz: 60, serviceMs: 10, servers: 1 });

  it("gives the same figures for the same seed, and others for another", () => {
    const few = { seed: 3, roundTrips: 5_000 };
    expect(simulate(queue, few)).toEqual(simulate(queue, few));
    expect(simulate(queue, { ...few, seed: 4 })).not.toEqual(simulate(queue, few));
  });

  it("lets a caller move on after the first phase, and the next wait for the second", () => {
    const network = readClosedNetwork({
      population: 2,
      think: "constant",
      stations: [{ name: "server", service: "constant", demandMs: 10, phaseTwoMs: 6 }],
    });
    // Both follow each other through one server, 10 ms apart: each waits for the other's 10 ms and its own second phase.
    const simulation = simulate(simulatedNetwork(network), { seed: 1, roundTrips: 4_000 });
    expect(simulation.throughputHz).toBeCloseTo(100, 6);
    expect(simulation.responseMs).toBeCloseTo(20, 6);
    expect(simulation.stations[0]?.utilisation).toBeCloseTo(1, 6);
  });

  it("has an interval that holds the exact mean, and none for a few round trips", () => {
    const { responseMs } = mm1({ rateHz: 60, serviceMs: 10 });
    const { responseLowMs, responseHighMs } = simulate(queue, options);
    expect(responseLowMs).toBeLessThan(responseMs);
    expect(responseHighMs).toBeGreaterThan(responseMs);
    expect(simulate(queue, { seed: 1, roundTrips: 100 })).toMatchObject({ roundTrips: 100, responseLowMs: null });
  });

  it("stops when a queue grows without end, and refuses crowds", () => {
    const unstable = simulatedQueue({ rateHz: 300, serviceMs: 10, servers: 1 });
    expect(() => simulate(unstable, options)).toThrow(/the load is unstable/);
    const crowd = readClosedNetwork({ population: 200_000, stations: [{ name: "door", demandMs: 1 }] });
    expect(() => simulate(simulatedNetwork(crowd), options)).toThrow(/simulated callers is 200000/);
  });
});
