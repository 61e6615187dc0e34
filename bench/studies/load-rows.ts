// Load as it was in 2015: matrices of 50 rows, their exponents, and a connection for each request. A power takes about a fifth of their 0.7 s on a
// processor of today. The other studies of load have smaller matrices, for more requests in the time.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

const rows = 50;

/** About half of what one core computes, and twice as much. */
const ratesHz = [4, 16];

export const study: Study = {
  name: "load-rows",
  title: "Load of large matrices",
  question: "What do requests wait for that are as large as in 2015, each on a connection of its own?",
  rounds: 6,
  budgetMs: 40_000,
  takesFirstCalls: false,
  tasks: powersAtRates(
    ratesHz,
    { setup: [], styles: ["grpc"], settings: { newConnectionPerCall: [true] } },
    { rows, requests: () => 8 },
  ),
};
