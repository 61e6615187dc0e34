// The smallest call, which several studies make under different conditions.
import { type Task, sequentialPlan } from "@roundtrip/runner";

/** One hello call by one caller: a task without its conditions and its number of calls. */
export const greeting = {
  variants: {
    single: sequentialPlan({ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }),
  },
  answerKeys: [],
  expected: { message: "Hello, World!" },
  setup: [],
  callers: 1,
} as const satisfies Pick<Task, "variants" | "answerKeys" | "expected" | "setup" | "callers">;
