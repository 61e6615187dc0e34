// Stations of which the variation of service times is known: between constant and exponential ones, and beyond.
import { array, assert, double, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exactMva,
  simulate,
  simulateDefaults,
  simulatedNetwork,
  type ClosedNetwork,
  type ServiceDistribution,
} from "../../src/models.ts";
import { apart } from "./apart.ts";

const time = double({ min: 0.01, max: 100, noNaN: true });

interface Given {
  readonly demandsMs: readonly number[];
  readonly population: number;
  readonly thinkMs: number;
}

/** Queues with one kind of service. */
function networkOf({ demandsMs, population, thinkMs }: Given, service: ServiceDistribution): ClosedNetwork {
  return {
    classes: [{ name: "callers", population, thinkMs, think: "exponential" }],
    stations: demandsMs.map((demandMs, index) => ({
      name: `station ${index}`,
      kind: "queue",
      service,
      demands: [{ demandMs, phaseTwoMs: 0 }],
    })),
  };
}

function roundTripMs(network: ClosedNetwork): number {
  return exactMva(network).classes[0]?.roundTripMs ?? Number.NaN;
}

describe("service whose variation is known", () => {
  it("is constant service without any, and exponential service with as much as the mean squared", () => {
    const networks = record({
      demandsMs: array(time, { minLength: 1, maxLength: 4 }),
      population: integer({ min: 1, max: 9 }),
      thinkMs: time,
    });
    assert(
      property(networks, (given) => {
        for (const [scv, service] of [
          [0, "constant"],
          [1, "exponential"],
        ] as const) {
          const [varying, named] = [roundTripMs(networkOf(given, { scv })), roundTripMs(networkOf(given, service))];
          expect(apart(varying, named)).toBeLessThan(1e-9);
        }
      }),
    );
  });

  it("makes callers who think wait as they do in a simulation, and one alone no longer", () => {
    const given = { demandsMs: [2], population: 4, thinkMs: 40 };
    const network = networkOf(given, { scv: 6 });
    const [simulated] = simulate(simulatedNetwork(network), { ...simulateDefaults, seed: 7 }).sources;
    expect(apart(roundTripMs(network), simulated?.responseMs ?? 0)).toBeLessThan(0.1);
    // Constant service would make them wait for a third of it.
    expect(roundTripMs(network)).toBeGreaterThan(roundTripMs(networkOf(given, "constant")) + 0.5);
    expect(roundTripMs(networkOf({ ...given, population: 1 }, { scv: 6 }))).toBeCloseTo(2, 9);
  });
});
