// The same powers on several threads: task 2.2 of 2015, in which two threads doubled the capacity. They help only with processors for them: on two cores
// the server has both, and its threads share one with the client.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

/** Less than one core computes, and more. */
const ratesHz = [250, 600];

export const study: Study = {
  name: "load-threads",
  title: "Load on threads",
  question: "What do more threads do for calls that wait for each other?",
  rounds: 6,
  budgetMs: 70_000,
  takesFirstCalls: false,
  // Threads affect every style alike.
  tasks: powersAtRates(ratesHz, {
    serviceSettings: { matrix: { threads: [1, 2, 4, 8, 16] } },
    setup: [],
    styles: ["grpc"],
    computesOnThreads: true,
    servedOnBothCores: true,
  }),
};
