// How much load each style carries where the call itself is the work, hello and a customer: what it carries is searched first, and then measured
// around there. The server is one event loop, so that calls queue for it as for a single server.
import type { Study, Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

/** As many as one caller alone makes in a round, whom models are fed with. */
const callsAlone = 200;

/** Over HTTP/1.1 there is a connection for each, so that hardly anybody waits in the client. */
const connections = 200;

/** Responses of 20 ms at p99 are what an interactive page with a few calls can bear. */
const saturation = { limitMs: 20, shares: [0.4, 0.75, 0.95, 1.15], blockMs: 300 };

/** The capacity of a block. */
const mostCalls = 20_000;

const common = { settings: {}, links: [], onFloor: false } as const satisfies Partial<Task>;

const hello = { name: "hello", factors: {}, ...greeting, ...common };

const count = customerAttributes.length;

const read = {
  name: "read",
  factors: {},
  variants: { single: facadeRead(1, count) },
  answerKeys: firstFields(count),
  expected: firstValues(count),
  setup: [],
  ...common,
};

function aloneAndMany(task: typeof hello | typeof read): readonly Task[] {
  return [
    { ...task, callers: 1, tasksPerRound: callsAlone, tasksPerBlock: callsAlone },
    { ...task, callers: connections, saturation, tasksPerRound: mostCalls, tasksPerBlock: mostCalls },
  ];
}

export const study: Study = {
  name: "load-calls",
  title: "Load of small calls",
  question: "How much load does each style carry when the call itself is the work?",
  rounds: 6,
  budgetMs: 110_000,
  takesFirstCalls: false,
  tasks: [hello, read].flatMap(aloneAndMany),
};
