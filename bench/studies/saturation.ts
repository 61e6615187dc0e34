// The calls a second that a server carries from ten callers without pauses, measured twice: by this project's clients and, on the HTTP stacks, by
// autocannon with the same requests. If the two disagree, one of them measures itself.
import { type Plan, type Study, taskDefaults } from "@roundtrip/runner";

const callers = 10;

function plan(driver: Plan["driver"]): Plan {
  const steps = [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }];
  return { order: "sequential", driver, steps };
}

export const study: Study = {
  name: "saturation",
  title: "Saturation",
  question: "How many calls a second does each style carry when callers never pause, and do two drivers agree on it?",
  rounds: 6,
  tasks: [
    {
      ...taskDefaults,
      name: "hello",
      factors: { callers },
      variants: { "own-driver": plan("own"), autocannon: plan("autocannon") },
      expected: { message: "Hello, World!" },
      callers,
      tasksPerRound: 4_000,
      tasksPerBlock: 2_000,
    },
  ],
};
