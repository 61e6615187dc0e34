// Hello world by the procedure of 2020: 500 calls of processes that have just started, with the first among them, by an HTTP client of its own for each
// style. Beside it the same clients after a warm-up: what is left of a difference there is the clients', and what `hello-styles` still has is the style's.
// Each round is their whole experiment once.
import { type Study, taskDefaults } from "@roundtrip/runner";
import { greeting } from "../shared-tasks.ts";

const iterations = 500;

export const study: Study = {
  name: "hello-strict",
  title: "Hello world, as published",
  question: "Which conclusions of 2020 come from its first calls and its different clients?",
  rounds: 6,
  stacks: ["graphql-apollo+graphql-request", "json-rpc-2+json-rpc-2", "rest-express+axios"],
  budgetMs: 45_000,
  tasks: [
    {
      ...taskDefaults,
      name: "hello",
      ...greeting,
      warmUp: [false, true],
      onFloor: false,
      tasksPerRound: iterations,
      tasksPerBlock: iterations,
    },
  ],
};
