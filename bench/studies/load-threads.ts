// The same powers on several threads: task 2.2 of 2015, where two doubled what a server carried. They help where there are processors for
// them: the server has all cores but the client's here, and on two cores computes no faster with sixteen. `--set matrix.threads=1,2,4,8,16`
// measures all levels.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

const ratesHz = [250, 420];

export const study: Study = {
  name: "load-threads",
  title: "Load on threads",
  question: "What do more threads do for calls that wait for each other?",
  rounds: 6,
  budgetMs: 30_000,
  takesFirstCalls: false,
  // Threads stand behind every style alike.
  tasks: powersAtRates(ratesHz, {
    settings: { matrix: { threads: [1, 16] } },
    setup: [],
    stacks: ["grpc-js"],
    computesOnThreads: true,
  }),
};
