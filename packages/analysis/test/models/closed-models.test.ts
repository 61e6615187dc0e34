// The models of closed networks: laws that hold for every network, and invalid networks.
import { assert, constantFrom, double, integer, property, record, array, type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asymptoticBounds,
  exactMva,
  readClosedNetwork,
  withinCapacity,
  type ClosedNetwork,
  type ClosedPrediction,
} from "../../src/models.ts";
import { apart } from "./apart.ts";

const time = (max: number): Arbitrary<number> => double({ min: 0.01, max, noNaN: true });
const station = record({
  kind: constantFrom("queue", "queue", "delay"),
  service: constantFrom("exponential", "constant"),
  demandMs: time(100),
});
const exponentialStation = record({ kind: constantFrom("queue", "queue", "delay"), demandMs: time(100) });

interface Given {
  readonly kind: string;
  readonly demandMs: number;
}

function oneClass(stations: readonly Given[], population: number, thinkMs: number): ClosedNetwork {
  return readClosedNetwork({
    classes: [{ name: "callers", population, thinkMs }],
    stations: stations.map((one, index) => ({ name: `station ${index}`, ...one })),
  });
}

function only({ classes }: ClosedPrediction): { readonly throughputHz: number; readonly roundTripMs: number } {
  const [first] = classes;
  return { throughputHz: first?.throughputHz ?? Number.NaN, roundTripMs: first?.roundTripMs ?? Number.NaN };
}

/** Everybody is somewhere, everything is served by somebody. */
function obeysLaws(network: ClosedNetwork, prediction: ClosedPrediction): void {
  network.classes.forEach(({ population, thinkMs }, caller) => {
    const { throughputHz } = prediction.classes[caller] ?? { throughputHz: Number.NaN };
    const present = prediction.stations.reduce((sum, one) => sum + (one.present[caller] ?? 0), 0);
    expect(apart(present + (throughputHz * thinkMs) / 1_000, population)).toBeLessThan(1e-6);
    for (const one of prediction.stations)
      expect(apart(one.present[caller] ?? 0, (throughputHz * (one.residenceMs[caller] ?? 0)) / 1_000)).toBeLessThan(
        1e-6,
      );
  });
  network.stations.forEach(({ demands }, place) => {
    const busy = demands.reduce(
      (sum, { demandMs }, caller) => sum + ((prediction.classes[caller]?.throughputHz ?? 0) * demandMs) / 1_000,
      0,
    );
    // A delay is never busy.
    expect(apart(prediction.stations[place]?.utilisation ?? busy, busy)).toBeLessThan(1e-6);
  });
}

describe("closed networks", () => {
  it("obey Little's law and the utilisation law", () => {
    assert(
      property(
        array(station, { minLength: 1, maxLength: 5 }),
        integer({ min: 1, max: 30 }),
        time(500),
        (stations, population, thinkMs) => {
          const network = oneClass(stations, population, thinkMs);
          obeysLaws(network, exactMva(network));
        },
      ),
    );
  });

  it("obey them with several classes", () => {
    const classes = array(
      record({
        population: integer({ min: 1, max: 5 }),
        thinkMs: time(200),
        demands: array(time(50), { minLength: 3, maxLength: 3 }),
      }),
      {
        minLength: 2,
        maxLength: 3,
      },
    );
    assert(
      property(classes, (given) => {
        const network = readClosedNetwork({
          classes: given.map(({ population, thinkMs }, index) => ({ name: `class ${index}`, population, thinkMs })),
          stations: [0, 1, 2].map((place) => ({
            name: `station ${place}`,
            demandMs: Object.fromEntries(given.map(({ demands }, index) => [`class ${index}`, demands[place]])),
          })),
        });
        obeysLaws(network, exactMva(network));
      }),
    );
  });

  it("stay within the asymptotic bounds", () => {
    assert(
      property(
        array(exponentialStation, { minLength: 1, maxLength: 5 }),
        integer({ min: 1, max: 60 }),
        time(500),
        (stations, population, thinkMs) => {
          const network = oneClass(stations, population, thinkMs);
          const { throughputHz, roundTripMs } = only(exactMva(network));
          const total = stations.reduce((sum, { demandMs }) => sum + demandMs, 0);
          const { ceilingHz } = asymptoticBounds(network);
          const little = 1 + 1e-9;
          expect(throughputHz).toBeLessThanOrEqual(
            Math.min((1_000 * population) / (thinkMs + total), ceilingHz ?? Infinity) * little,
          );
          expect(roundTripMs * little).toBeGreaterThanOrEqual(
            Math.max(total, ceilingHz === null ? 0 : (1_000 * population) / ceilingHz - thinkMs),
          );
          // Nobody waits for more than all others at every station.
          expect(roundTripMs).toBeLessThanOrEqual(population * total * little);
        },
      ),
    );
  });

  it("answer no sooner with a caller more, and no later after more thinking", () => {
    assert(
      property(
        array(station, { minLength: 1, maxLength: 4 }),
        integer({ min: 1, max: 20 }),
        time(200),
        (stations, population, thinkMs) => {
          const at = (count: number, think: number): number =>
            only(exactMva(oneClass(stations, count, think))).roundTripMs;
          const little = 1 + 1e-9;
          expect(at(population, thinkMs)).toBeLessThanOrEqual(at(population + 1, thinkMs) * little);
          expect(at(population, thinkMs + 10)).toBeLessThanOrEqual(at(population, thinkMs) * little);
        },
      ),
    );
  });

  it("cost one caller alone what its demands add up to", () => {
    assert(
      property(array(station, { minLength: 1, maxLength: 5 }), time(500), (stations, thinkMs) => {
        const network = oneClass(stations, 1, thinkMs);
        const total = stations.reduce((sum, { demandMs }) => sum + demandMs, 0);
        expect(apart(only(exactMva(network)).roundTripMs, total)).toBeLessThan(1e-9);
      }),
    );
  });

  it("split into classes that are alike, are the network of one class", () => {
    const stations = [
      { name: "CPU", demandMs: 5 },
      { name: "disk", demandMs: 8 },
      { name: "wire", kind: "delay", demandMs: 3 },
    ];
    const whole = exactMva(readClosedNetwork({ classes: [{ name: "all", population: 7, thinkMs: 40 }], stations }));
    const parts = exactMva(
      readClosedNetwork({
        classes: [
          { name: "some", population: 3, thinkMs: 40 },
          { name: "others", population: 4, thinkMs: 40 },
        ],
        stations,
      }),
    );
    for (const { roundTripMs } of parts.classes)
      expect(apart(roundTripMs ?? 0, only(whole).roundTripMs)).toBeLessThan(1e-9);
    expect(
      apart(
        parts.classes.reduce((sum, { throughputHz }) => sum + throughputHz, 0),
        only(whole).throughputHz,
      ),
    ).toBeLessThan(1e-9);
    expect(parts.approximations).toEqual([]);
  });

  it("saturate at the demand of their busiest station, from the knee on", () => {
    const network = oneClass(
      [
        { kind: "queue", demandMs: 5 },
        { kind: "queue", demandMs: 8 },
      ],
      200,
      67,
    );
    expect(asymptoticBounds(network)).toEqual({ bottleneck: "station 1", ceilingHz: 125, knee: 10 });
    expect(apart(only(exactMva(network)).throughputHz, 125)).toBeLessThan(1e-6);
    expect(apart(exactMva(network).stations[1]?.utilisation ?? 0, 1)).toBeLessThan(1e-6);
    expect(apart(only(exactMva(network)).roundTripMs, 200 * 8 - 67)).toBeLessThan(1e-6);
  });

  it("leave a class alone that has a station for itself", () => {
    const network = readClosedNetwork({
      classes: [
        { name: "near", population: 5 },
        { name: "far", population: 2 },
      ],
      stations: [
        { name: "one", demandMs: { near: 3 } },
        { name: "other", demandMs: { far: 7 } },
      ],
    });
    expect(exactMva(network).classes.map(({ roundTripMs }) => roundTripMs)).toEqual([15, 14]);
    expect(exactMva(network).approximations).toEqual([]);
  });
});

describe("a prediction within capacity", () => {
  const stations = array(station, { minLength: 1, maxLength: 4 });

  it("obeys the laws, serves no more than its busiest station can, and otherwise stays as it is", () => {
    assert(
      property(stations, integer({ min: 1, max: 20 }), constantFrom(0, 5, 80), (given, population, thinkMs) => {
        const network = oneClass(given, population, thinkMs);
        const [plain, bounded] = [exactMva(network), withinCapacity(network, exactMva(network))];
        const ceilingHz = asymptoticBounds(network).ceilingHz ?? Number.POSITIVE_INFINITY;
        obeysLaws(network, bounded);
        expect(only(bounded).throughputHz).toBeLessThanOrEqual(ceilingHz);
        expect(apart(only(bounded).throughputHz, Math.min(only(plain).throughputHz, ceilingHz))).toBeLessThan(1e-9);
      }),
    );
  });

  it("waits at the busiest station: three callers of 4 ms and 1 ms of constant service come round every 12 ms", () => {
    const constant = [4, 1].map((demandMs) => ({ kind: "queue", service: "constant", demandMs }));
    const network = oneClass(constant, 3, 0);
    expect(only(exactMva(network)).throughputHz).toBeGreaterThan(250);
    const bounded = withinCapacity(network, exactMva(network));
    expect(only(bounded)).toEqual({ throughputHz: 250, roundTripMs: expect.closeTo(12, 9) });
    expect(bounded.stations[0]?.utilisation).toBeCloseTo(1, 9);
  });
});

describe("a network that is too large", () => {
  const large = oneClass(
    [
      { kind: "queue", demandMs: 5 },
      { kind: "queue", demandMs: 8 },
    ],
    1_000_000_000,
    10,
  );

  it("is refused by exact analysis before it begins", () => {
    expect(() => exactMva(large)).toThrow(
      "exact mean value analysis would go through 1,000,000,001 populations of 2 stations; " +
        "use fewer callers or classes",
    );
  });
});
