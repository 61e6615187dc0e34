// Powers of a matrix, whose exponents say how long they are computed: what the studies of load ask for, as the measurements of 2015 did.
import { poisson, type Step, type Task } from "@roundtrip/runner";
import type { JsonObject } from "@bufbuild/protobuf";
import { createHash } from "node:crypto";

/** With the 50 rows of 2015 a power takes some 100 ms, and 200 of them at one rate up to two minutes; with 12, about 2 ms. */
const size = 12;

/** Rows add up to 1, so that every power of it stays between 0 and 1; no two elements are alike. */
const indices = [...Array.from({ length: size }).keys()];
const stochastic = indices.flatMap((row) => {
  const weights = indices.map((column) => 1 + ((7 * row + 3 * column) % size));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
});

function power(exponent: number): JsonObject {
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

/** One power, with the times that its answer reports. */
export function powerStep(exponent: number): Step {
  return {
    operation: "roundtrip.v1.MatrixService.Power",
    request: power(exponent),
    reportedTimes: { queue: "queue_time", service: "service_time" },
  };
}

/** Exponents in turn. */
function powersOf(drawn: readonly number[]): Task["variants"] {
  const [first = exponents.least] = drawn;
  return { single: { order: "sequential", driver: "own", steps: [{ ...powerStep(first), inTurn: drawn.map(power) }] } };
}

/** Requests of one rate in each round: in six rounds nearly twice as many as in 2015. */
const requestsPerRound = 60;

/** Fewer where they come slowly: rarely enough to wait for each other, so that they differ less. In six rounds still more than in 2015. */
const longestBlockMs = 600;
const fewestRequests = 35;

type Circumstances = Pick<Task, "settings" | "setup"> & Partial<Pick<Task, "stacks" | "load" | "computesOnThreads">>;

/** What tasks of powers have in common. Both times, and what the cache did, are no part of an answer that has to be alike. */
export const powerTask = {
  links: [],
  answerKeys: ["power"],
  expected: {},
  onFloor: false,
} as const satisfies Partial<Task>;

function requestsAt(rateHz: number): number {
  return Math.min(requestsPerRound, Math.max(fewestRequests, Math.ceil((rateHz * longestBlockMs) / 1_000)));
}

function drawnTask(circumstances: Circumstances, callers: number, seed: number, requests = requestsPerRound): Task {
  return {
    name: "power",
    factors: {},
    ...powerTask,
    variants: powersOf(drawnExponents(requests, seed)),
    callers,
    tasksPerRound: requests,
    tasksPerBlock: requests,
    ...circumstances,
  };
}

/**
 * Powers at these rates of arrival, as of many callers who know nothing of each other; before them those of one caller who waits for each
 * answer: nothing queues there, and what a call takes of the server is seen. Models are fed with it.
 */
export function powersAtRates(ratesHz: readonly number[], circumstances: Circumstances): readonly Task[] {
  return [
    drawnTask(circumstances, 1, 0),
    ...ratesHz.map((rateHz, index) =>
      // Over HTTP/1.1 there is a connection for each, so that nobody waits in the client.
      drawnTask(
        { ...circumstances, load: { pacer: poisson({ rateHz }) } },
        requestsPerRound,
        index + 1,
        requestsAt(rateHz),
      ),
    ),
  ];
}
