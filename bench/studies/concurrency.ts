// Callers that wait for each answer and think before the next call: the 1996 study, call by call. The processor time of a single caller is measured,
// and the model predicts the round trips of several with pauses. concurrency-grid has all levels.
import type { Study } from "@roundtrip/runner";
import { echoCallers } from "../echo-callers.ts";

/** Of the six levels of 1996, those that are not between two neighbours: the saved time gives each more calls. */
const packets = [0, 1, 3, 12];
const callers = [1, 3, 6, 9];

/**
 * Mean pauses in ms. Those of 1996 went up to 216 ms, 27 times a single call of one packet; 12 ms are as much for calls of 0.44 ms. Only two of the
 * levels between are kept: with all, a run would exceed five minutes.
 */
const thinkMs = [0, 0.5, 2, 12];

export const study: Study = {
  name: "concurrency",
  title: "Concurrency",
  question: "What do several callers who think between their calls wait for, and did a model know?",
  rounds: 6,
  budgetMs: 280_000,
  takesFirstCalls: false,
  tasks: echoCallers({ packets, callers, thinkMs }),
};
