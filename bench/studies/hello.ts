// Hello world, one caller, one call: the study of 2020 with the first call apart, one client for all HTTP arms, and bodies read.
import type { Study } from "@roundtrip/runner";

const iterations = 500;

export const study: Study = {
  name: "hello",
  title: "Hello world",
  question: "What does the smallest call cost over each style?",
  rounds: 6,
  setup: [],
  tasks: [
    {
      name: "hello",
      factors: {},
      variants: {
        single: {
          order: "sequential",
          driver: "own",
          steps: [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }],
        },
      },
      answerKeys: [],
      callers: 1,
      tasksPerRound: iterations,
      tasksPerBlock: 100,
    },
  ],
};
