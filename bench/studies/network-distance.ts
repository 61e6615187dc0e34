// Distance: the cost of a small call and of a customer's six attributes at 1 to 200 ms, over the kernel's own TCP. Latency against the measured
// round-trip time gives the number of round trips that a task waits for; the rest is CPU.
import { linkDefaults, type Study, type Task, taskDefaults, sequentialPlan } from "@roundtrip/runner";
import { customerAttributes, facadeRead, fineReads, firstFields, firstValues, greeting } from "../shared-tasks.ts";

/**
 * The round-trip times of 2009, and tasks at each in a round. A chatty read at 200 ms takes 1.2 s. Far distances get two seconds each, all at once.
 */
const distances = [
  { rttMs: 1, hellos: 24, reads: 10 },
  { rttMs: 50, hellos: 4, reads: 4 },
  { rttMs: 100, hellos: 2, reads: 2 },
  { rttMs: 200, hellos: 1, reads: 1 },
] as const;

type Distance = (typeof distances)[number];

const count = customerAttributes.length;

function hello({ rttMs, hellos }: Distance): Task {
  return {
    name: "hello",
    factors: {},
    settings: {},
    links: [{ ...linkDefaults, rttMs }],
    ...greeting,
    tasksPerRound: hellos,
    tasksPerBlock: hellos,
  };
}

function read({ rttMs, reads }: Distance): Task {
  const steps = fineReads(1, count);
  return {
    ...taskDefaults,
    name: "read",
    factors: { attributes: count },
    links: [{ ...linkDefaults, rttMs }],
    variants: {
      facade: facadeRead(1, count),
      chatty: sequentialPlan(...steps),
      "chatty-parallel": { order: "parallel", driver: "own", steps },
      together: { order: "together", driver: "own", steps },
    },
    answerKeys: firstFields(count),
    expected: firstValues(count),
    tasksPerRound: reads,
    tasksPerBlock: reads,
  };
}

export const study: Study = {
  name: "network-distance",
  title: "Distance",
  question: "How many round trips does each style wait for, and from which distance on does that decide?",
  rounds: 6,
  budgetMs: 72_000,
  // First calls belong to the connections study.
  takesFirstCalls: false,
  tasks: distances.flatMap((distance) => [hello(distance), read(distance)]),
};
