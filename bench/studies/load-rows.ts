// Load as it was in 2015: matrices of 50 rows, their exponents, 200 requests at each rate, and a connection for each. A power takes about a fifth of their
// 0.7 s on a processor of today, and the study ten minutes; the other studies of load have smaller matrices.
import type { Study } from "@roundtrip/runner";
import { powersAtRates } from "../powers.ts";

const rows = 50;
const rounds = 6;
const requests = 200;

/** About a quarter to two and a half times what one core computes. */
const ratesHz = [2, 4, 6, 8, 12, 20];

export const study: Study = {
  name: "load-rows",
  title: "Load of large matrices",
  question: "What do requests wait for that are as large as in 2015, each on a connection of its own?",
  rounds,
  budgetMs: 600_000,
  takesFirstCalls: false,
  tasks: powersAtRates(
    ratesHz,
    { setup: [], styles: ["grpc"], settings: { newConnectionPerCall: [true] } },
    { rows, requests: () => Math.ceil(requests / rounds) },
  ),
};
