// What a gate watches: the smallest call and a coarse one over each style, under an open load of which a server keeps up with a little more
// than half. Rounds are many and short, since it is rounds that tell two versions apart.
import type { Study, Task } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues } from "../customer-reads.ts";
import { greeting } from "../greeting.ts";

/** Calls that may be under way at once: over HTTP/1.1 each has a connection of its own. */
const callers = 16;

const watched = {
  factors: {},
  settings: {},
  links: [],
  onFloor: false,
  // Enough queueing for a slower server to be felt by others, and far from where noise is all that is.
  saturation: { shares: [0.55], blockMs: 40, blocksPerRound: 3 },
  tasksPerRound: 5_000,
  tasksPerBlock: 5_000,
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
    { name: "hello", ...watched, ...greeting, callers },
    {
      name: "read",
      ...watched,
      variants: { facade: facadeRead(1, count) },
      answerKeys: firstFields(count),
      expected: firstValues(count),
      setup: [],
      callers,
    },
  ],
};
