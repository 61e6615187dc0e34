// Small calls at rates of arrival, hello and a customer: how much load each style carries where the style itself is most of the work. The server
// is one event loop, so that calls queue for it as for a single server.
import { poisson, type Study, type Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

const ratesHz = [250, 1_000, 2_000, 4_000, 8_000];

const requestsPerRound = 200;

const common = {
  settings: {},
  links: [],
  onFloor: false,
  tasksPerRound: requestsPerRound,
  tasksPerBlock: requestsPerRound,
} as const satisfies Partial<Task>;

const hello: Task = { name: "hello", factors: {}, ...greeting, ...common };

const count = customerAttributes.length;

const read: Task = {
  name: "read",
  factors: {},
  variants: { single: facadeRead(1, count) },
  answerKeys: firstFields(count),
  expected: firstValues(count),
  setup: [],
  callers: 1,
  ...common,
};

/** One caller alone, whom models are fed with, and then many. Over HTTP/1.1 there is a connection for each, so that nobody waits in the client. */
function atRates(task: Task): readonly Task[] {
  const many = { ...task, callers: requestsPerRound };
  return [task, ...ratesHz.map((rateHz) => ({ ...many, load: { pacer: poisson({ rateHz }) } }))];
}

export const study: Study = {
  name: "load-calls",
  title: "Load of small calls",
  question: "How much load does each style carry when the call itself is the work?",
  rounds: 6,
  budgetMs: 45_000,
  takesFirstCalls: false,
  tasks: [hello, read].flatMap(atRates),
};
