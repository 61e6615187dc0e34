// Hello world as in 2020, where RPC was JSON over HTTP: JSON-RPC beside gRPC, REST and GraphQL, with its 500 iterations in each round.
import { type Study, taskDefaults } from "@roundtrip/runner";
import { greeting } from "../shared-tasks.ts";

const iterations = 500;

export const study: Study = {
  name: "hello-styles",
  title: "Hello world, JSON-RPC too",
  question: "Is RPC faster than REST, and REST than GraphQL?",
  rounds: 6,
  stacks: ["graphql-apollo", "grpc-js", "json-rpc-2", "rest-express"],
  budgetMs: 60_000,
  tasks: [{ ...taskDefaults, name: "hello", ...greeting, tasksPerRound: iterations, tasksPerBlock: 100 }],
};
