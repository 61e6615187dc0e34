// Powers of a matrix, whose exponents say how long they are computed: what the studies of load ask for, as the measurements of 2015 did.
import type { Step, Task } from "@roundtrip/runner";
import type { JsonObject } from "@bufbuild/protobuf";
import { createHash } from "node:crypto";

/** With the 50 rows of 2015 a power takes some 100 ms, and 200 of them at one rate up to two minutes; with 14, about 3 ms. */
const size = 14;

/** Rows add up to 1, so that every power of it stays between 0 and 1; no two elements are alike. */
const indices = [...Array.from({ length: size }).keys()];
const stochastic = indices.flatMap((row) => {
  const weights = indices.map((column) => 1 + ((7 * row + 3 * column) % size));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
});

/** One multiplication for each unit of the exponent less one. */
export function power(exponent: number): JsonObject {
  return { matrix: { size, elements: stochastic }, exponent };
}

const exponents = { least: 500, most: 1_000 } as const;

/** So many exponents, uniform on those of 2015: the same for a seed. */
export function drawnExponents(count: number, seed: number): readonly number[] {
  const bytes = createHash("shake256", { outputLength: 4 * count })
    .update(`exponents ${seed}`)
    .digest();
  const { least, most } = exponents;
  return Array.from({ length: count }, (_, index) => least + (bytes.readUInt32BE(4 * index) % (most - least + 1)));
}

function step(exponent: number): Step {
  return {
    operation: "roundtrip.v1.MatrixService.Power",
    request: power(exponent),
    reportedTimes: { queue: "queue_time", service: "service_time" },
  };
}

/** One exponent for every call. */
export function samePower(exponent: number): Task["variants"] {
  return { single: { order: "sequential", driver: "own", steps: [step(exponent)] } };
}

/** Exponents in turn. */
export function powersOf(drawn: readonly number[]): Task["variants"] {
  const [first = exponents.least] = drawn;
  return { single: { order: "sequential", driver: "own", steps: [{ ...step(first), inTurn: drawn.map(power) }] } };
}

/** What tasks of powers have in common. Both times, and what the cache did, are no part of an answer that has to be alike. */
export const powerTask = {
  links: [],
  answerKeys: ["power"],
  expected: {},
  onFloor: false,
  takesFirstCalls: false,
} as const satisfies Partial<Task>;
