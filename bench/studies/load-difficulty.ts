// Response, queue, service and transport time against difficulty: the first measurement of 2015. One caller, one call after the other: service time
// grows with the exponent, all else stays the same. Larger matrices, of which 2015 had one size, also take longer to send. Its own size, with its
// connection for each request, is measured with few calls.
import { type Study, sequentialPlan, type Task } from "@roundtrip/runner";
import { powerStep, powerTask } from "../powers.ts";

const exponents = [100, 500, 1_000, 1_500, 2_000];

/** Up to the 50 rows of 2015, to one exponent. */
const sizes = [12, 25, 50];
const exponentOfSizes = 100;

/** As many calls as in 2015 for each exponent, over all rounds. */
const calls = 250;
const rounds = 6;
const callsPerRound = Math.ceil(calls / rounds);
const callsOfSize = 12;

const theirRows = 50;
const theirExponents = [500, 1_000];
const callsOfTheirs = 6;

function alone(name: string, factors: Task["factors"], step: ReturnType<typeof powerStep>, times: number): Task {
  return {
    name,
    factors,
    setup: [],
    ...powerTask,
    variants: { single: sequentialPlan(step) },
    callers: 1,
    tasksPerRound: times,
    tasksPerBlock: times,
  };
}

export const study: Study = {
  name: "load-difficulty",
  title: "Difficulty",
  question: "How much of a call's time is the work, and how much its transport?",
  rounds,
  budgetMs: 30_000,
  takesFirstCalls: false,
  // One, as in 2015.
  stacks: ["grpc-js"],
  tasks: [
    ...exponents.map((exponent) => alone("power", { exponent }, powerStep(exponent), callsPerRound)),
    ...theirExponents.map((exponent) => ({
      ...alone("theirs", { exponent }, powerStep(exponent, theirRows), callsOfTheirs),
      settings: { newConnectionPerCall: [true] },
    })),
    ...sizes.map((rows) => alone("size", { rows }, powerStep(exponentOfSizes, rows), callsOfSize)),
  ],
};
