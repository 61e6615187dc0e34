// Style or library: the smallest call and the façade's read over every server and every client library.
import type { Study, Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, fineReads, firstFields, firstValues, greeting } from "../shared-tasks.ts";

const most = customerAttributes.length;
const blocks = { tasksPerRound: 200, tasksPerBlock: 50 };
const around = { settings: {}, links: [], setup: [], callers: 1 } as const;
/** Where the façade begins to pay is less urgent than how the libraries compare. */
const priorities = { first: 1, breakEven: 2 } as const;

function readTask(attributes: number): Task {
  return {
    name: "read",
    factors: { attributes },
    ...around,
    variants: {
      facade: facadeRead(1, attributes),
      chatty: { order: "sequential", driver: "own", steps: fineReads(1, attributes) },
    },
    answerKeys: firstFields(attributes),
    expected: firstValues(attributes),
    priorities: { facade: attributes === most ? priorities.first : priorities.breakEven, chatty: priorities.breakEven },
    ...blocks,
  };
}

export const study: Study = {
  name: "libraries",
  title: "Style or library",
  question: "How much of a difference between styles is the style's, and how much its server's and client's?",
  rounds: 6,
  stacks: "libraries",
  budgetMs: 285_000,
  takesFirstCalls: false,
  tasks: [{ name: "hello", factors: {}, settings: {}, links: [], ...greeting, ...blocks }, readTask(1), readTask(most)],
};
