// The load that each style carries if the call itself is the work: hello and a customer. The capacity is searched first, then measured around it. The
// server is one event loop, so that calls queue as for a single server.
import type { Study, Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

/** Calls of a single caller in a round, which feed the models. */
const callsAlone = 200;

/** HTTP/1.1 has a connection for each call, so that hardly any call waits in the client. */
const connections = 200;

/** An interactive page with a few calls can bear responses of 20 ms at p99. */
const saturation = { limitMs: 20, shares: [0.4, 0.75, 0.95, 1.15], blockMs: 300 };

/** The maximum number of calls in a block. */
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
