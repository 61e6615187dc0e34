// The smallest call there is, which several studies make under different circumstances.
import type { Task } from "@roundtrip/runner";

/** One hello call by one caller: all of a task but its circumstances and how often it is done. */
export const greeting = {
  variants: {
    single: {
      order: "sequential",
      driver: "own",
      steps: [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }],
    },
  },
  answerKeys: [],
  expected: { message: "Hello, World!" },
  setup: [],
  callers: 1,
} as const satisfies Pick<Task, "variants" | "answerKeys" | "expected" | "setup" | "callers">;
