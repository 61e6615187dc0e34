// Response time against arrivals a second, from far below the capacity of one thread to far above: the second measurement of 2015, or any task of a
// user's contract at the user's rates. Arrivals do not wait for answers, so that queues grow as with many independent users.
import { poisson, type Study, type Task } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";
import { connections, type StudyOfWork, type Work } from "../study-of-work.ts";

/**
 * About 0.14 to 2.9 times what one core of the author's machine computes, as in 2015. The rates are the same on every machine and stack; a run
 * computes their share of its capacity from the measured time.
 */
const ratesHz = [60, 170, 250, 320, 370, 420, 600, 1_240];

const rounds = 6;

const about = {
  name: "load-rates",
  title: "Load",
  question: "How long do calls take when more and more come, and did a model know?",
  rounds,
  takesFirstCalls: false,
} as const satisfies Partial<Study>;

/** Time of a round's arrivals at one rate; slow rates take longer, for the fewest arrivals. */
const blockMs = 300;
const fewestTasks = 36;
const mostTasks = 20_000;
/** Calls of the single caller that feeds the models, in a round. */
const callsAlone = 200;
/** Block and pauses of one rate in a round, on three stacks. */
const budgetMsOfCell = 1_200;

function arrivals(rateHz: number): number {
  return Math.min(mostTasks, Math.max(fewestTasks, Math.ceil((rateHz * blockMs) / 1_000)));
}

function aloneAndAtRates(work: Work, rates: readonly number[]): readonly Task[] {
  const task = { ...work, onFloor: false };
  return [
    { ...task, callers: 1, tasksPerRound: callsAlone, tasksPerBlock: callsAlone },
    ...rates.map((rateHz) => {
      const tasks = arrivals(rateHz);
      const callers = Math.min(connections, tasks);
      return { ...task, load: { pacer: poisson({ rateHz }) }, callers, tasksPerRound: tasks, tasksPerBlock: tasks };
    }),
  ];
}

function budgetMsOf(works: readonly Work[], rates: readonly number[]): number {
  const slowMs = rates.reduce((sum, rateHz) => sum + Math.max(0, (1_000 * arrivals(rateHz)) / rateHz - blockMs), 0);
  return rounds * works.length * ((rates.length + 1) * budgetMsOfCell + 3 * slowMs);
}

export const ofWork: StudyOfWork = {
  levels: ["ratesHz"],
  needs: "ratesHz",
  study: (works, { ratesHz: rates = [] }) => ({
    ...about,
    budgetMs: budgetMsOf(works, rates),
    tasks: works.flatMap((work) => aloneAndAtRates(work, rates)),
  }),
};

/** One stack, as in 2015: the powers take most of the time, so that styles hardly differ. */
export const study: Study = {
  ...about,
  stacks: ["grpc-js"],
  budgetMs: 95_000,
  tasks: powersAtRates(ratesHz, { setup: [] }),
};
