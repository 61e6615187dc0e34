// Response time against arrivals a second, from far below what one thread computes to far above: the second measurement of 2015. Callers
// come whether or not others were answered, so that queues grow as they would with many users who know nothing of each other.
import { poisson, type Study, type Task } from "@roundtrip/runner";
import { drawnExponents, powersOf, powerTask } from "../powers.ts";

/** As many as in 2015, at each rate. */
const requests = 200;

/**
 * Of one thread's capacity here, some 350 a second, about 0.14 to 2.9 as in 2015. They are the same on every machine and for every stack:
 * which share of its capacity each is, a run tells from the service time that it measured.
 */
const ratesHz = [50, 140, 210, 270, 310, 350, 500, 1_000];

function task(circumstances: Pick<Task, "factors" | "callers"> & Partial<Task>, seed: number): Task {
  return {
    name: "power",
    settings: {},
    setup: [],
    ...powerTask,
    variants: powersOf(drawnExponents(requests, seed)),
    tasksPerRound: requests,
    tasksPerBlock: requests,
    ...circumstances,
  };
}

export const study: Study = {
  name: "load-rates",
  title: "Load",
  question: "How long do calls take when more come than can be computed at once, and did a model know?",
  rounds: 3,
  budgetMs: 120_000,
  takesFirstCalls: false,
  tasks: [
    // One caller who waits for each answer: nothing queues, and what a call takes of the server is seen. Models are fed with it.
    task({ factors: {}, callers: 1 }, 0),
    ...ratesHz.map((rateHz, index) =>
      task({ factors: {}, callers: requests, load: { pacer: poisson({ rateHz }) } }, index + 1),
    ),
  ],
};
