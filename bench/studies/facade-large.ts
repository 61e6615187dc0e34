// Much larger data: the next step that the study of 2010 wished for. A façade that reads six values together against a call for each, with values of 1 KB
// and of 100 KB; and the customer of 2010 among 10,000 and 1,000,000. Only the address may be large, so the six values are those of six customers.
import { type Step, type Study, type Task, sequentialPlan, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, customerService, fineReads, firstFields, firstValues } from "../shared-tasks.ts";

const calls = 30;
const count = customerAttributes.length;

/** Beyond the customers of other studies, which share the server. */
const customersBefore = { 1_000: 500, 100_000: 600 } as const;

/** As the service writes it: a page of customers begins after this one. */
function pageTokenAfter(id: number): string {
  return Buffer.from(`after:${id}`).toString("base64url");
}

function read(valueBytes: keyof typeof customersBefore): Task {
  const before = customersBefore[valueBytes];
  const ids = Array.from({ length: count }, (_, index) => before + 1 + index);
  return {
    ...taskDefaults,
    name: "read-large",
    factors: { valueBytes },
    onFloor: false,
    variants: {
      facade: sequentialPlan({
        operation: `${customerService}.ListCustomers`,
        request: { pageSize: count, pageToken: pageTokenAfter(before) },
      }),
      chatty: sequentialPlan(
        ...ids.map((id, index) => ({
          operation: `${customerService}.GetCustomerAddress`,
          request: { id },
          into: { member: "customers", index },
        })),
      ),
    },
    answerKeys: ["customers.address"],
    setup: ids.map((id) => ({
      operation: `${customerService}.SetCustomerAddress`,
      request: { id, address: "x".repeat(valueBytes) },
    })),
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

const readsOfMany = 200;

/** Customers from all over the store in turn, so that each read finds another one. The first is the same in a store of any size. */
function readsAmong(customers: number): readonly Task[] {
  const ids = Array.from({ length: readsOfMany }, (_, index) => 1 + index * Math.floor(customers / readsOfMany));
  const task = (variant: string, steps: readonly Step[], blocks: number): Task => ({
    ...taskDefaults,
    name: "read-of-many",
    serviceSettings: { customers: { count: [customers] } },
    onFloor: false,
    // The store is the same behind every style.
    styles: ["rest"],
    variants: { [variant]: sequentialPlan(...steps.map((step) => ({ ...step, inTurn: ids.map((id) => ({ id })) }))) },
    answerKeys: firstFields(count),
    expected: firstValues(count),
    tasksPerRound: blocks * readsOfMany,
    tasksPerBlock: readsOfMany,
  });
  return [
    task("facade", [{ operation: `${customerService}.GetCustomer`, request: { id: 1 } }], 3),
    task("chatty", fineReads(1, count), 1),
  ];
}

export const study: Study = {
  name: "facade-large",
  title: "Much larger data",
  question: "Is a façade as many times faster when its values are large, or its customers many?",
  rounds: 6,
  budgetMs: 60_000,
  takesFirstCalls: false,
  tasks: [read(1_000), read(100_000), ...[10_000, 1_000_000].flatMap(readsAmong)],
};
