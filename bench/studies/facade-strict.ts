// Remote Façade as in 2010, without what `facade` adds: in each round one bulk of 100 calls for every number of attributes, in the order of the paper,
// façade and chatty one after the other, with security off. For the first call it is on, too; `facade-settled` has it for later ones.
import { sequentialPlan, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { facadeRead, fineReads, firstFields, firstValues } from "../shared-tasks.ts";

const bulk = 100;

function read(attributes: number): Task {
  return {
    ...taskDefaults,
    name: "read",
    factors: { attributes },
    tls: [false],
    onFloor: false,
    variants: { facade: facadeRead(1, attributes), chatty: sequentialPlan(...fineReads(1, attributes)) },
    answerKeys: firstFields(attributes),
    expected: firstValues(attributes),
    tasksPerRound: bulk,
    tasksPerBlock: bulk,
  };
}

export const study: Study = {
  name: "facade-strict",
  title: "Remote Façade, as published",
  question: "Does the procedure of 2010 find the same?",
  rounds: 6,
  budgetMs: 50_000,
  keepsOrder: true,
  // In their order later levels are warmer, so that a line over attributes has the drift in its slope.
  breakEvensOver: [],
  tasks: [
    ...[1, 2, 3, 4, 5, 6].map(read),
    { ...read(1), name: "read-secured", tls: [true], variants: { facade: facadeRead(1, 1) } },
  ],
};
