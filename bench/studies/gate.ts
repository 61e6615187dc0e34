// The study for the gate: the smallest call and a coarse one over each style, by one caller that keeps a server busy about half of the time. Rounds
// are many and short, because rounds distinguish two versions (docs/decisions/0187-one-caller-and-medians-in-the-gate.md).
import { type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues, greeting } from "../shared-tasks.ts";

const watched = {
  ...taskDefaults,
  onFloor: false,
  // Twenty blocks of 4 to 12 ms: a disturbance affects one of twenty blocks, or both versions.
  tasksPerRound: 400,
  tasksPerBlock: 20,
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
