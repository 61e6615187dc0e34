// The load that each style carries if the call itself is the work: hello and a customer, or any task of a user's contract. The capacity is searched
// first, then measured around it. The server is one event loop, so that calls queue as for a single server.
import { type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues, greeting } from "../shared-tasks.ts";
import { connections, type StudyOfWork, type Work } from "../study-of-work.ts";

/** Calls of a single caller in a round, which feed the models. */
const callsAlone = 200;

/** An interactive page with a few calls can bear responses of 20 ms at p99. */
const saturation = { limitMs: 20, shares: [0.4, 0.75, 0.95, 1.15], blockMs: 300 };

/** The maximum number of calls in a block. */
const mostCalls = 20_000;

/** Search and rounds of one task on three stacks. */
const budgetMsOfTask = 55_000;

const count = customerAttributes.length;

const own: readonly Work[] = [
  { name: "hello", factors: {}, settings: {}, links: [], ...greeting },
  {
    ...taskDefaults,
    name: "read",
    variants: { single: facadeRead(1, count) },
    answerKeys: firstFields(count),
    expected: firstValues(count),
  },
];

function aloneAndMany(work: Work): readonly Task[] {
  const task = { ...work, onFloor: false };
  return [
    { ...task, callers: 1, tasksPerRound: callsAlone, tasksPerBlock: callsAlone },
    { ...task, callers: connections, saturation, tasksPerRound: mostCalls, tasksPerBlock: mostCalls },
  ];
}

export const ofWork: StudyOfWork = {
  levels: [],
  study: (works) => ({
    name: "load-calls",
    title: "Load of small calls",
    question: "How much load does each style carry when the call itself is the work?",
    rounds: 6,
    budgetMs: budgetMsOfTask * works.length,
    takesFirstCalls: false,
    tasks: works.flatMap(aloneAndMany),
  }),
};

export const study: Study = ofWork.study(own, {});
