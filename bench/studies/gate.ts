// What a gate watches: the smallest call and a coarse one over each style, by one caller who keeps a server busy for about half of the time. Rounds are
// many and short, since it is rounds that tell two versions apart (docs/decisions/0187-a-gate-watches-one-caller.md).
import type { Study, Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

const watched = {
  factors: {},
  settings: {},
  links: [],
  onFloor: false,
  callers: 1,
  // Ten blocks of 10 to 30 ms: one that is disturbed is one of ten.
  tasksPerRound: 600,
  tasksPerBlock: 60,
} as const satisfies Partial<Task>;

const count = customerAttributes.length;

export const study: Study = {
  name: "gate",
  title: "Gate",
  question: "Is one version slower than another?",
  rounds: 30,
  budgetMs: 150_000,
  takesFirstCalls: false,
  tasks: [
    { name: "hello", ...watched, ...greeting },
    {
      name: "read",
      ...watched,
      variants: { facade: facadeRead(1, count) },
      answerKeys: firstFields(count),
      expected: firstValues(count),
      setup: [],
    },
  ],
};
