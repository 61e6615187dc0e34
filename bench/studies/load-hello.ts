// The smallest call at rates of arrival: how much load each style carries where the style itself is all the work. The server is one event
// loop, so that calls queue for it as for a single server.
import { poisson, type Study, type Task } from "@roundtrip/runner";
import { greeting } from "../greeting.ts";

const ratesHz = [250, 1_000, 2_000, 4_000, 8_000];

const requestsPerRound = 200;

const hello = {
  name: "hello",
  factors: {},
  settings: {},
  links: [],
  ...greeting,
  onFloor: false,
  tasksPerRound: requestsPerRound,
  tasksPerBlock: requestsPerRound,
} as const satisfies Task;

export const study: Study = {
  name: "load-hello",
  title: "Load of hellos",
  question: "How much load does each style carry when the call itself is the work?",
  rounds: 6,
  budgetMs: 35_000,
  takesFirstCalls: false,
  tasks: [
    hello,
    ...ratesHz.map((rateHz): Task => ({ ...hello, callers: requestsPerRound, load: { pacer: poisson({ rateHz }) } })),
  ],
};
