// Response, queue, service and transport time against difficulty: the first measurement of 2015. One caller, one call after the other: service time
// grows with the exponent, all else stays the same.
import { type Study, sequentialPlan } from "@roundtrip/runner";
import { powerStep, powerTask } from "../powers.ts";

const exponents = [100, 500, 1_000, 1_500, 2_000];

/** As many calls as in 2015 for each exponent, over all rounds. */
const calls = 250;
const rounds = 6;
const callsPerRound = Math.ceil(calls / rounds);

export const study: Study = {
  name: "load-difficulty",
  title: "Difficulty",
  question: "How much of a call's time is the work, and how much its transport?",
  rounds,
  budgetMs: 24_000,
  takesFirstCalls: false,
  tasks: exponents.map((exponent) => ({
    name: "power",
    factors: { exponent },
    setup: [],
    ...powerTask,
    variants: { single: sequentialPlan(powerStep(exponent)) },
    callers: 1,
    tasksPerRound: callsPerRound,
    tasksPerBlock: callsPerRound,
  })),
};
