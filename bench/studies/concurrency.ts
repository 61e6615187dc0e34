// Callers that wait for each answer and think before the next call: the 1996 study, call by call, or any task of a user's contract. The processor time
// of a single caller is measured, and the model predicts the round trips of several with pauses. concurrency-grid has all levels.
import type { Study } from "@roundtrip/runner";
import { echoCallers, tasksOfCallers } from "../echo-callers.ts";
import type { StudyOfWork } from "../study-of-work.ts";

/** Of the six levels of 1996, those that are not between two neighbours: the saved time gives each more calls. */
const packets = [0, 1, 3, 12];
const callers = [1, 3, 6, 9];

/**
 * Mean pauses in ms. Those of 1996 went up to 216 ms, 27 times a single call of one packet; 12 ms are as much for calls of 0.44 ms. Only two of the
 * levels between are kept: with all, a run would exceed five minutes.
 */
const thinkMs = [0, 0.5, 2, 12];

const about = {
  name: "concurrency",
  title: "Concurrency",
  question: "What do several callers who think between their calls wait for, and did a model know?",
  rounds: 6,
  takesFirstCalls: false,
} as const satisfies Partial<Study>;

/** The levels for tasks of other contracts: fewer, because there may be several tasks. */
const usual = { callers: [1, 3, 9], thinkMs: [0, 2, 12] } as const;

/** One combination on three stacks, in all rounds. */
const budgetMsOfCell = 4_400;

/** In ascending order, with the level of the caller that feeds the model. */
function withFed(levels: readonly number[], fed: number): readonly number[] {
  return [...new Set([fed, ...levels])].toSorted((one, other) => one - other);
}

export const ofWork: StudyOfWork = {
  levels: ["callers", "thinkMs"],
  study: (works, levels) => {
    const fed = {
      callers: withFed(levels.callers ?? usual.callers, 1),
      thinkMs: withFed(levels.thinkMs ?? usual.thinkMs, 0),
    };
    const tasks = works.flatMap((work) => tasksOfCallers(work, fed));
    return { ...about, budgetMs: budgetMsOfCell * tasks.length, tasks };
  },
};

export const study: Study = { ...about, budgetMs: 280_000, tasks: echoCallers({ packets, callers, thinkMs }) };
