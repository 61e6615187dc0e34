// Response time against arrivals a second, from far below the capacity of one thread to far above: the second measurement of 2015. Arrivals do not
// wait for answers, so that queues grow as with many independent users.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

/**
 * About 0.14 to 2.9 times what one core of the author's machine computes, as in 2015. The rates are the same on every machine and stack; a run
 * computes their share of its capacity from the measured time.
 */
const ratesHz = [60, 170, 250, 320, 370, 420, 600, 1_240];

export const study: Study = {
  name: "load-rates",
  title: "Load",
  question: "How long do calls take when more and more come, and did a model know?",
  rounds: 6,
  budgetMs: 72_000,
  takesFirstCalls: false,
  tasks: powersAtRates(ratesHz, { setup: [] }),
};
