// Style or library: the smallest call and the façade's read over every server and every client library.
import type { Study } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

const attributes = customerAttributes.length;
const blocks = { tasksPerRound: 200, tasksPerBlock: 50 };

export const study: Study = {
  name: "libraries",
  title: "Style or library",
  question: "How much of a difference between styles is the style's, and how much its server's and client's?",
  rounds: 6,
  stacks: "libraries",
  budgetMs: 285_000,
  takesFirstCalls: false,
  tasks: [
    { name: "hello", factors: {}, settings: {}, links: [], ...greeting, ...blocks },
    {
      name: "read",
      factors: { attributes },
      settings: {},
      links: [],
      variants: { facade: facadeRead(1, attributes) },
      answerKeys: firstFields(attributes),
      expected: firstValues(attributes),
      setup: [],
      callers: 1,
      ...blocks,
    },
  ],
};
