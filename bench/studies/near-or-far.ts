// Heavy work here or there: the caveat of 2020 that its work was too small for a remote server to pay. Two powers of a matrix in the client's own process,
// one after the other on its core, against two at once on a server with two threads and two cores: beside it, and 10 ms away.
import { linkDefaults, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { powerTask, repeatedPowers } from "../powers.ts";

/** From less than a call takes to much more: a power of 1,000 takes two to three milliseconds. */
const exponents = [10, 100, 1_000, 4_000];

function powers(exponent: number): Task {
  return {
    ...taskDefaults,
    ...powerTask,
    name: "powers",
    factors: { exponent },
    serviceSettings: { matrix: { threads: [2] } },
    servedOnBothCores: true,
    variants: repeatedPowers(exponent, 2),
    tasksPerRound: 12,
    tasksPerBlock: 12,
  };
}

function farPowers(exponent: number): Task {
  const { chatty: _, ...variants } = repeatedPowers(exponent, 2);
  return { ...powers(exponent), styles: ["rest"], links: [{ ...linkDefaults, rttMs: 10 }], variants };
}

export const study: Study = {
  name: "near-or-far",
  title: "Work near or far",
  question: "From which computing time on is a remote server of two cores faster than the own core?",
  rounds: 6,
  budgetMs: 50_000,
  takesFirstCalls: false,
  inProcess: true,
  breakEvensOver: [],
  tasks: [...exponents.map(powers), ...exponents.map(farPowers)],
};
