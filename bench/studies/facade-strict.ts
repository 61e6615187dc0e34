// Remote Façade as in 2010, without what `facade` adds: in each round one bulk of 100 calls for every number of attributes, in the order of the paper,
// façade and chatty one after the other. Its security was off; here it is on, too.
import { sequentialPlan, type Study, taskDefaults } from "@roundtrip/runner";
import { facadeRead, fineReads, firstFields, firstValues } from "../shared-tasks.ts";

const bulk = 100;

export const study: Study = {
  name: "facade-strict",
  title: "Remote Façade, as published",
  question: "Does the procedure of 2010 find the same, with security off and on?",
  rounds: 6,
  budgetMs: 70_000,
  keepsOrder: true,
  tasks: [1, 2, 3, 4, 5, 6].map((attributes) => ({
    ...taskDefaults,
    name: "read",
    factors: { attributes },
    tls: [false, true],
    onFloor: false,
    variants: { facade: facadeRead(1, attributes), chatty: sequentialPlan(...fineReads(1, attributes)) },
    answerKeys: firstFields(attributes),
    expected: firstValues(attributes),
    tasksPerRound: bulk,
    tasksPerBlock: bulk,
  })),
};
