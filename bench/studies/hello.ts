// Hello world, one caller, one call: the 2020 study with separate first calls, one client for all HTTP arms, and bodies read. Its 500 iterations per
// style are spread over the rounds: six fresh starts are more informative than 500 calls in one.
import type { Study } from "@roundtrip/runner";
import { greeting } from "../greeting.ts";

const rounds = 6;
const iterations = 500;

export const study: Study = {
  name: "hello",
  title: "Hello world",
  question: "What does the smallest call cost over each style?",
  rounds,
  // The question compares styles, and each additional round improves the answer.
  floorPriority: 2,
  tasks: [
    {
      name: "hello",
      factors: {},
      settings: {},
      links: [],
      ...greeting,
      tasksPerRound: Math.ceil(iterations / rounds),
      tasksPerBlock: 28,
    },
  ],
};
