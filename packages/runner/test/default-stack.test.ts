// What a run records of a stack that stands for its style.
import { loadStack } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { study } from "../../../bench/studies/hello.ts";
import { armsOf, factsOfArm } from "../src/study/planned-arm.ts";

it("records of each arm whether its stack is its style's default", async () => {
  const stacks = await Promise.all(["rest-express", "rest-fastify", "rest-express+fetch"].map(loadStack));
  const arms = armsOf([study], stacks).map(factsOfArm);
  expect(Object.fromEntries(arms.map(({ stack, isDefaultStack }) => [stack, isDefaultStack]))).toEqual({
    "rest-express": true,
    "rest-fastify": false,
    "rest-express+fetch": false,
  });
});
