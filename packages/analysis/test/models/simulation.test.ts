// The simulation, held against every exact result: it shares no formula with them, so both are right or both are wrong alike.
import { describe, expect, it } from "vitest";
import {
  exactMva,
  mm1,
  mmc,
  readClosedNetwork,
  simulate,
  simulatedNetwork,
  simulatedQueue,
  type OpenPrediction,
  type Simulation,
} from "../../src/models.ts";
import { apart } from "./apart.ts";

const options = { seed: 11, roundTrips: 200_000 };

/** The largest difference among what both know. */
function disagreement({ sources, stations }: Simulation, prediction: OpenPrediction): number {
  const [source] = sources;
  return Math.max(
    apart(source?.responseMs, prediction.responseMs),
    apart(source?.throughputHz, prediction.rateHz),
    apart(stations[0]?.utilisation, prediction.utilisation),
    apart(stations[0]?.present, prediction.present),
  );
}

describe("the simulation agrees within 3 %", () => {
  it.each([30, 60, 75])("with M/M/1 at %i per second of 10 ms, percentiles too", (rateHz) => {
    const load = { rateHz, serviceMs: 10 };
    const simulation = simulate(simulatedQueue({ ...load, servers: 1 }), options);
    expect(disagreement(simulation, mm1(load))).toBeLessThan(0.03);
    for (const name of ["p50", "p90", "p95", "p99"] as const)
      expect(apart(simulation.sources[0]?.percentilesMs?.[name], mm1(load).percentilesMs?.[name])).toBeLessThan(0.05);
  });

  it.each([2, 4, 16])("with M/M/c of %i servers at 75 %, percentiles too", (servers) => {
    const load = { rateHz: 75 * servers, serviceMs: 10, servers };
    const simulation = simulate(simulatedQueue({ ...load }), options);
    expect(disagreement(simulation, mmc(load))).toBeLessThan(0.03);
    for (const name of ["p50", "p90", "p95", "p99"] as const)
      expect(apart(simulation.sources[0]?.percentilesMs?.[name], mmc(load).percentilesMs?.[name])).toBeLessThan(0.05);
  });

  it("with exact mean value analysis of one class, station by station", () => {
    const network = readClosedNetwork({
      classes: [{ name: "callers", population: 6, thinkMs: 15 }],
      stations: [
        { name: "client CPU", demandMs: 4 },
        { name: "network", kind: "delay", demandMs: 6 },
        { name: "server CPU", demandMs: 5 },
      ],
    });
    const [simulation, exact] = [simulate(simulatedNetwork(network), options), exactMva(network)];
    expect(exact.approximations).toEqual([]);
    expect(apart(simulation.sources[0]?.responseMs, exact.classes[0]?.roundTripMs)).toBeLessThan(0.03);
    expect(apart(simulation.sources[0]?.throughputHz, exact.classes[0]?.throughputHz)).toBeLessThan(0.03);
    exact.stations.forEach(({ present, utilisation }, place) => {
      expect(apart(simulation.stations[place]?.present, present[0])).toBeLessThan(0.03);
      // A delay has none in both.
      expect(apart(simulation.stations[place]?.utilisation ?? 1, utilisation ?? 1)).toBeLessThan(0.03);
    });
  });

  it("with exact mean value analysis of two classes, that think differently", () => {
    const network = readClosedNetwork({
      classes: [
        { name: "eager", population: 3, thinkMs: 4 },
        { name: "calm", population: 5, thinkMs: 80, think: "constant" },
      ],
      stations: [
        { name: "server CPU", demandMs: 5 },
        { name: "disk", demandMs: { calm: 7 } },
        { name: "network", kind: "delay", demandMs: { eager: 2, calm: 9 } },
      ],
    });
    const [simulation, exact] = [simulate(simulatedNetwork(network), options), exactMva(network)];
    expect(exact.approximations).toEqual([]);
    exact.classes.forEach(({ roundTripMs, throughputHz }, index) => {
      expect(apart(simulation.sources[index]?.responseMs, roundTripMs)).toBeLessThan(0.03);
      expect(apart(simulation.sources[index]?.throughputHz, throughputHz)).toBeLessThan(0.03);
    });
  });
});

describe("the simulation", () => {
  it("gives the same figures for the same seed, and others for another", () => {
    const network = simulatedQueue({ rateHz: 50, serviceMs: 10, servers: 1 });
    const few = { seed: 3, roundTrips: 5_000 };
    expect(simulate(network, few)).toEqual(simulate(network, few));
    expect(simulate(network, { ...few, seed: 4 })).not.toEqual(simulate(network, few));
  });

  it("shows approximations for what they are: classes with different service times at one queue", () => {
    const network = readClosedNetwork({
      classes: [
        { name: "small", population: 4, thinkMs: 20 },
        { name: "large", population: 2, thinkMs: 60 },
      ],
      stations: [{ name: "server CPU", demandMs: { small: 4, large: 8 } }],
    });
    const [simulation, exact] = [simulate(simulatedNetwork(network), options), exactMva(network)];
    expect(exact.approximations).toEqual([
      "classes with different service times at one queue are met in proportion to their presence",
    ]);
    exact.classes.forEach(({ roundTripMs }, index) => {
      expect(apart(simulation.sources[index]?.responseMs, roundTripMs)).toBeLessThan(0.1);
    });
  });

  it("lets a caller move on after the first phase, and the next wait for the second", () => {
    const network = readClosedNetwork({
      classes: [{ name: "callers", population: 2, think: "constant" }],
      stations: [{ name: "server", service: "constant", demandMs: 10, phaseTwoMs: 6 }],
    });
    // Both follow each other through one server, 10 ms apart: each waits for the other's 10 ms and its own second phase.
    const { sources, stations } = simulate(simulatedNetwork(network), { seed: 1, roundTrips: 4_000 });
    expect(sources[0]?.throughputHz).toBeCloseTo(100, 6);
    expect(sources[0]?.responseMs).toBeCloseTo(20, 6);
    expect(stations[0]?.utilisation).toBeCloseTo(1, 6);
  });

  it("has an interval that holds the exact mean", () => {
    const load = { rateHz: 60, serviceMs: 10 };
    const [source] = simulate(simulatedQueue({ ...load, servers: 1 }), options).sources;
    expect(source?.responseLowMs).toBeLessThan(mm1(load).responseMs);
    expect(source?.responseHighMs).toBeGreaterThan(mm1(load).responseMs);
  });

  it("has no interval for a few round trips, and nothing at all without callers", () => {
    const network = simulatedQueue({ rateHz: 50, serviceMs: 10, servers: 1 });
    expect(simulate(network, { seed: 1, roundTrips: 100 }).sources[0]).toMatchObject({
      roundTrips: 100,
      responseLowMs: null,
    });
    const empty = {
      sources: [{ kind: "closed", name: "none", population: 0, think: { kind: "constant", meanMs: 1 } }],
      stations: [],
    } as const;
    expect(simulate(empty, options).sources[0]).toMatchObject({
      throughputHz: 0,
      responseMs: null,
      percentilesMs: null,
    });
  });

  it("stops when a queue grows without end, and refuses crowds", () => {
    expect(() => simulate(simulatedQueue({ rateHz: 300, serviceMs: 10, servers: 1 }), options)).toThrow(
      /the load is unstable/,
    );
    const crowd = readClosedNetwork({
      classes: [{ name: "crowd", population: 200_000 }],
      stations: [{ name: "door", demandMs: 1 }],
    });
    expect(() => simulate(simulatedNetwork(crowd), options)).toThrow(/simulated callers is 200000/);
  });
});
