// The study of 1996 with every level that it had: six sizes and six think times in place of four and four. A quarter of an hour, for those who
// want the whole table; `concurrency` says the same in five minutes.
import type { Study } from "@roundtrip/runner";
import { echoCallers } from "../echo-callers.ts";

const packets = [0, 1, 2, 3, 6, 12];
const callers = [1, 3, 6, 9];

/** Those that it printed, 0, 3, 9, 18, 36 and 72 ms beside calls of 8 ms, and its longest, 216 ms, beside calls of 0.44 ms. */
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
