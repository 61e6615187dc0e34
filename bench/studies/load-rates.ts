// Response time against arrivals a second, from far below what one thread computes to far above: the second measurement of 2015. Callers
// come whether or not others were answered, so that queues grow as they would with many users who know nothing of each other.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

/**
 * About 0.14 to 2.9 of what one core computes where this was written, as in 2015. They are the same on every machine and for every stack:
 * which share of its capacity each is, a run computes from the measured time.
 */
const ratesHz = [60, 170, 250, 320, 370, 420, 600, 1_240];

export const study: Study = {
  name: "load-rates",
  title: "Load",
  question: "How long do calls take when more and more come, and did a model know?",
  rounds: 6,
  budgetMs: 72_000,
  takesFirstCalls: false,
  tasks: powersAtRates(ratesHz, { settings: {}, setup: [] }),
};
