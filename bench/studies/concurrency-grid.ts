// The 1996 study with all its levels: six sizes and six think times instead of four and four. Takes a quarter of an hour; `concurrency` gives the
// same result in five minutes.
import type { Study } from "@roundtrip/runner";
import { echoCallers } from "../echo-callers.ts";

const packets = [0, 1, 2, 3, 6, 12];
const callers = [1, 3, 6, 9];

/** The printed levels, 0, 3, 9, 18, 36 and 72 ms beside calls of 8 ms, and the longest, 216 ms, scaled to calls of 0.44 ms. */
const thinkMs = [0, 0.17, 0.5, 1, 2, 4, 12];

export const study: Study = {
  name: "concurrency-grid",
  title: "Concurrency, all levels",
  question: "What does the whole table of 1996 look like today?",
  rounds: 6,
  budgetMs: 900_000,
  takesFirstCalls: false,
  tasks: echoCallers({ packets, callers, thinkMs }),
};
