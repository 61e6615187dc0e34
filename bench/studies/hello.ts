// Hello world, one caller, one call: the 2020 study with separate first calls, one client for all HTTP arms, and bodies read. Its 500 iterations per
// style are made in each of six rounds: six fresh starts are more informative than one, and a mean of fewer calls would depend on a few slow ones.
import { type Study, taskDefaults } from "@roundtrip/runner";
import { greeting } from "../shared-tasks.ts";

const iterations = 500;

export const study: Study = {
  name: "hello",
  title: "Hello world",
  question: "What does the smallest call cost over each style?",
  rounds: 6,
  inProcess: true,
  tasks: [
    {
      ...taskDefaults,
      name: "hello",
      ...greeting,
      tasksPerRound: iterations,
      tasksPerBlock: 84,
    },
  ],
};
