// Much larger data: the next step that the study of 2010 wished for. Façade against chatty, with six values of 1 KB and of 100 KB
// together: the address is as long as it takes.
import { type Study, type Task, sequentialPlan, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, customerId, fineReads, largeCustomer } from "../shared-tasks.ts";

const calls = 50;

function read(valueBytes: number): Task {
  const { variants, ...customer } = largeCustomer(valueBytes);
  return {
    ...taskDefaults,
    name: "read-large",
    factors: { valueBytes },
    onFloor: false,
    ...customer,
    variants: { ...variants, chatty: sequentialPlan(...fineReads(customerId(valueBytes), customerAttributes.length)) },
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

export const study: Study = {
  name: "facade-large",
  title: "Much larger data",
  question: "Is a façade as many times faster when its values are large?",
  rounds: 6,
  budgetMs: 30_000,
  takesFirstCalls: false,
  tasks: [1_000, 100_000].map((bytes) => read(bytes)),
};
