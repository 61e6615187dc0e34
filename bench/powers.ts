// Powers of a matrix, requested by the load studies as in the measurements of 2015. The exponent determines the compute time.
import { poisson, type Step, type Task, sequentialPlan } from "@roundtrip/runner";
import type { JsonObject } from "@bufbuild/protobuf";
import { createHash } from "node:crypto";

/** With the 50 rows of 2015 a power takes about 100 ms, and 200 powers at one rate take up to two minutes. With 12 rows a power takes about 2 ms. */
const size = 12;

/** Rows add up to 1, so that the elements of every power stay between 0 and 1. No two elements are alike. */
function stochastic(rows: number): readonly number[] {
  const indices = [...Array.from({ length: rows }).keys()];
  return indices.flatMap((row) => {
    const weights = indices.map((column) => 1 + ((7 * row + 3 * column) % rows));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => weight / sum);
  });
}

function power(exponent: number, rows = size): JsonObject {
  return { matrix: { size: rows, elements: [...stochastic(rows)] }, exponent };
}

const exponents = { least: 500, most: 1_000 } as const;

/** Exponents drawn uniformly from the range of 2015; the same seed gives the same exponents. */
export function drawnExponents(count: number, seed: number): readonly number[] {
  const bytes = createHash("shake256", { outputLength: 4 * count })
    .update(`exponents ${seed}`)
    .digest();
  const { least, most } = exponents;
  return Array.from({ length: count }, (_, index) => least + (bytes.readUInt32BE(4 * index) % (most - least + 1)));
}

/** Such powers one after the other, and all at once. The same matrix, so that a cache would have them; the default is none. */
export function repeatedPowers(exponent: number, times: number): Task["variants"] {
  const steps = Array.from({ length: times }, () => powerStep(exponent));
  return { chatty: sequentialPlan(...steps), "chatty-parallel": { order: "parallel", driver: "own", steps } };
}

/** One power, with the times in its answer. */
export function powerStep(exponent: number, rows = size): Step {
  return {
    operation: "roundtrip.v1.MatrixService.Power",
    request: power(exponent, rows),
    reportedTimes: { queue: "queue_time", service: "service_time" },
  };
}

/** The exponents in rotation. */
function powersOf(drawn: readonly number[], rows: number): Task["variants"] {
  const [first = exponents.least] = drawn;
  return {
    single: sequentialPlan({ ...powerStep(first, rows), inTurn: drawn.map((exponent) => power(exponent, rows)) }),
  };
}

/** Requests at one rate in each round: over six rounds three times as many as in 2015. Near capacity, fewer vary too much to tell anything. */
const requestsPerRound = 100;

/** Slow rates make fewer requests, as a lone caller does: these rarely wait for each other, so they vary less. Six rounds still make more than 2015. */
const longestBlockMs = 1_000;
const fewestRequests = 60;

type Circumstances = Pick<Task, "setup"> &
  Partial<
    Pick<Task, "settings" | "serviceSettings" | "links" | "styles" | "load" | "computesOnThreads" | "servedOnBothCores">
  >;

/** What is asked for, and how often in a round. */
interface Asked {
  readonly rows: number;
  readonly requests: (rateHz: number) => number;
}

/** The common part of all power tasks. Times and cache status are not compared between answers. */
export const powerTask = {
  settings: {},
  links: [],
  answerKeys: ["power"],
  expected: {},
  onFloor: false,
} as const satisfies Partial<Task>;

function requestsAt(rateHz: number): number {
  return Math.min(requestsPerRound, Math.max(fewestRequests, Math.ceil((rateHz * longestBlockMs) / 1_000)));
}

/** Connections over HTTP/1.1. With more, calls that wait would only wait elsewhere; warming up calls on each of them. */
const mostCallers = 32;

const usual: Asked = { rows: size, requests: requestsAt };

function drawnTask(
  circumstances: Circumstances,
  callers: number,
  seed: number,
  { rows, requests }: { readonly rows: number; readonly requests: number },
): Task {
  return {
    name: "power",
    factors: {},
    ...powerTask,
    variants: powersOf(drawnExponents(requests, seed), rows),
    callers,
    tasksPerRound: requests,
    tasksPerBlock: requests,
    ...circumstances,
  };
}

/**
 * Powers at these arrival rates, as from many independent callers. The first task has one caller that waits for each answer: without a queue, it
 * shows the server time of a call, which feeds the models.
 */
export function powersAtRates(
  ratesHz: readonly number[],
  circumstances: Circumstances,
  { rows, requests }: Asked = usual,
): readonly Task[] {
  const most = requests(Infinity);
  return [
    drawnTask(circumstances, 1, 0, { rows, requests: Math.min(most, fewestRequests) }),
    ...ratesHz.map((rateHz, index) =>
      drawnTask({ ...circumstances, load: { pacer: poisson({ rateHz }) } }, mostCallers, index + 1, {
        rows,
        requests: requests(rateHz),
      }),
    ),
  ];
}

/** The same rate for so many requests each, as the tasks "overload". */
export function overloads(rateHz: number, counts: readonly number[], circumstances: Circumstances): readonly Task[] {
  return counts.map((requests) => ({
    ...drawnTask({ ...circumstances, load: { pacer: poisson({ rateHz }) } }, mostCallers, requests, {
      rows: size,
      requests,
    }),
    name: "overload",
    factors: { requests },
  }));
}
