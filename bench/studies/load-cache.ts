// The same powers with a cache in front of the threads: the third measurement of 2015. Of exponents that are asked for at random, the cache
// keeps two in five; what it keeps waits for no thread, so that the knee comes at a higher rate.
import type { Study } from "@roundtrip/runner";
import { drawnExponents, powersAtRates, powerStep } from "../powers.ts";

const ratesHz = [250, 420, 600, 1_240];

/** As many as the cache keeps, so that it is full from the first timed call on. */
const kept = 200;

export const study: Study = {
  name: "load-cache",
  title: "Load with a cache",
  question: "How much more does a server carry that keeps what it has computed?",
  rounds: 6,
  budgetMs: 36_000,
  takesFirstCalls: false,
  tasks: powersAtRates(ratesHz, {
    settings: { matrix: { cache: [true] } },
    setup: drawnExponents(kept, ratesHz.length + 1).map(powerStep),
  }),
};
