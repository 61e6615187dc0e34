// Much larger data: the next step that the study of 2010 wished for. Façade against chatty, with six values of 1 KB and of 100 KB together, where the
// address is as long as it takes, because the contract limits the others to 254 characters; and among 10,000 and 1,000,000 customers.
import { type Step, type Study, type Task, sequentialPlan, taskDefaults } from "@roundtrip/runner";
import {
  customerAttributes,
  customerId,
  customerService,
  fineReads,
  firstFields,
  firstValues,
  largeCustomer,
} from "../shared-tasks.ts";

const calls = 50;
const count = customerAttributes.length;

function read(valueBytes: number): Task {
  const { variants, ...customer } = largeCustomer(valueBytes);
  return {
    ...taskDefaults,
    name: "read-large",
    factors: { valueBytes },
    onFloor: false,
    ...customer,
    variants: { ...variants, chatty: sequentialPlan(...fineReads(customerId(valueBytes), count)) },
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

const readsOfMany = 200;

/** Customers from all over the store in turn, so that each read finds another one. The first is the same in a store of any size. */
function readOfMany(customers: number): Task {
  const ids = Array.from({ length: readsOfMany }, (_, index) => 1 + index * Math.floor(customers / readsOfMany));
  const inTurn = (step: Step): Step => ({ ...step, inTurn: ids.map((id) => ({ id })) });
  return {
    ...taskDefaults,
    name: "read-of-many",
    serviceSettings: { customers: { count: [customers] } },
    onFloor: false,
    // The store is the same behind every style.
    styles: ["rest"],
    variants: {
      facade: sequentialPlan(inTurn({ operation: `${customerService}.GetCustomer`, request: { id: 1 } })),
      chatty: sequentialPlan(...fineReads(1, count).map(inTurn)),
    },
    answerKeys: firstFields(count),
    expected: firstValues(count),
    tasksPerRound: readsOfMany,
    tasksPerBlock: readsOfMany,
  };
}

export const study: Study = {
  name: "facade-large",
  title: "Much larger data",
  question: "Is a façade as many times faster when its values are large, or its customers many?",
  rounds: 6,
  budgetMs: 60_000,
  takesFirstCalls: false,
  tasks: [...[1_000, 100_000].map(read), ...[10_000, 1_000_000].map(readOfMany)],
};
