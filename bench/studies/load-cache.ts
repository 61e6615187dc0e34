// The same powers with a cache in front of the threads: the third measurement of 2015. The cache holds two in five of the random exponents, a smaller
// one a tenth. Cached powers wait for no thread, so that the knee is at a higher rate.
import type { Study } from "@roundtrip/runner";
import { drawnExponents, powersAtRates, powerStep } from "../powers.ts";

const ratesHz = [250, 420, 600];

const capacities = [0, 50, 200];

/** As many as the largest cache keeps, so that it is full from the first timed call on. */
const kept = Math.max(...capacities);

export const study: Study = {
  name: "load-cache",
  title: "Load with a cache",
  question: "How much more does a server carry that keeps what it has computed?",
  rounds: 6,
  budgetMs: 45_000,
  takesFirstCalls: false,
  tasks: powersAtRates(ratesHz, {
    serviceSettings: { matrix: { cache: capacities } },
    // A cache affects every style alike.
    styles: ["grpc"],
    setup: drawnExponents(kept, ratesHz.length + 1).map((exponent) => powerStep(exponent)),
  }),
};
