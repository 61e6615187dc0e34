// Remote Façade: the 2010 study to the letter (6 rounds, 1 to 6 attributes, façade against chatty, bulks of 100 next to each other), on reads and
// writes. In addition, chatty calls in parallel, several fields in one GraphQL request, and values that outgrow one packet.
import { type Study, type Task, taskDefaults, sequentialPlan } from "@roundtrip/runner";
import {
  customerAttributes as attributes,
  customerService as service,
  facadeRead,
  fineReads,
  firstFields as fieldsOf,
  firstValues as valuesOf,
  largeCustomer,
} from "../shared-tasks.ts";

const bulk = 100;
const counts = [1, 2, 3, 4, 5, 6];
/** Façade against chatty at the fewest and the most attributes answers the question; the counts between draw its curve. */
const priorities = { first: 1, between: 2, otherVariants: 3, writes: 4, payloads: 5 } as const;

function priorityOf(count: number): number {
  return count === counts[0] || count === counts.at(-1) ? priorities.first : priorities.between;
}

/** Attribute counts at which the other variants are measured too. */
const otherCounts = [6];

/** Bulks of single calls at the ends of the curve, where styles are compared: a mean of one bulk would depend on a few slow calls. */
const leadingBulks = 5;

function readTasks(count: number): readonly Task[] {
  const steps = fineReads(1, count);
  const priority = priorityOf(count);
  const tasksPerRound = (calls: number): number =>
    priority === priorities.first && calls === 1 ? leadingBulks * bulk : bulk;
  const task = {
    ...taskDefaults,
    name: "read",
    factors: { attributes: count },
    answerKeys: fieldsOf(count),
    expected: valuesOf(count),
    priorities: {
      facade: priority,
      chatty: priority,
      "chatty-parallel": priorities.otherVariants,
      together: priorities.otherVariants,
    },
    tasksPerBlock: bulk,
  };
  const facade: Task = { ...task, variants: { facade: facadeRead(1, count) }, tasksPerRound: tasksPerRound(1) };
  const fine: Task = {
    ...task,
    tasksPerRound: tasksPerRound(count),
    variants: {
      chatty: sequentialPlan(...steps),
      ...(otherCounts.includes(count)
        ? {
            "chatty-parallel": { order: "parallel", driver: "own", steps },
            together: { order: "together", driver: "own", steps },
          }
        : {}),
    },
  };
  return [facade, fine];
}

/** Writes are not in the published tables: half a bulk leaves time for more of the reads that are. */
const writeBulk = bulk / 2;

function writeTask(count: number): Task {
  const written = attributes.slice(0, count);
  const customer = { id: 1, ...valuesOf(count) };
  const steps = written.map(({ field, accessor, value }) => ({
    operation: `${service}.Set${accessor}`,
    request: field === "id" ? { id: 1, newId: value } : { id: 1, [field]: value },
  }));
  return {
    ...taskDefaults,
    name: "write",
    factors: { attributes: count },
    variants: {
      facade: sequentialPlan({
        operation: `${service}.UpdateCustomer`,
        request: { customer, updateMask: fieldsOf(count).join(",") },
      }),
      chatty: sequentialPlan(...steps),
    },
    answerKeys: fieldsOf(count),
    expected: valuesOf(count),
    priorities: { facade: priorities.writes, chatty: priorities.writes },
    tasksPerRound: writeBulk,
    tasksPerBlock: writeBulk,
  };
}

/** Bytes of all six attributes together: on both sides of what one loopback packet carries (65,536), headers of any style included. */
const payloads = [1_024, 4_096, 16_384, 57_344, 73_728, 131_072];
/** Enough that a single pause does not dominate the mean of a block; the largest takes about a millisecond each. */
const payloadTasks = 30;

function payloadTask(payloadBytes: number): Task {
  return {
    ...taskDefaults,
    name: "read-payload",
    factors: { payloadBytes },
    ...largeCustomer(payloadBytes),
    priorities: { facade: priorities.payloads },
    tasksPerRound: payloadTasks,
    tasksPerBlock: payloadTasks,
  };
}

export const study: Study = {
  name: "facade",
  title: "Remote Façade",
  question: "When is one coarse call better than many fine ones, and by how much?",
  rounds: 6,
  inProcess: true,
  floorPriority: priorities.between,
  tasks: [...counts.flatMap(readTasks), ...counts.map(writeTask), ...payloads.map((bytes) => payloadTask(bytes))],
};
