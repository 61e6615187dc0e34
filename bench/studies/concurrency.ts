// Callers who wait for each answer and think before they call again: the study of 1996, call by call. What one caller takes of both processors
// is measured, and the model says what several with pauses between their calls see. concurrency-grid has all of its levels.
import type { Study } from "@roundtrip/runner";
import { echoCallers } from "../echo-callers.ts";

/** Of the six levels of 1996 those that are not between two neighbours: what is left out is time for more calls of each. */
const packets = [0, 1, 3, 12];
const callers = [1, 3, 6, 9];

/**
 * Mean pauses in ms. Those of 1996 went up to 216 ms, 27 times what a call of one packet took alone; 12 ms are as much for calls of 0.44 ms. Of
 * the levels between there are two: with all of them a run would last for longer than five minutes.
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
