// Which stacks --stack selects.
import { allStacks } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { selectedStackNames } from "../src/stacks/selected-stacks.ts";

const selected = (...names: readonly string[]): readonly string[] | undefined =>
  selectedStackNames({ stack: names }, allStacks());

it.each<[names: readonly string[], expected: readonly string[]]>([
  [
    ["rest", "grpc"],
    ["rest-express", "grpc-js"],
  ],
  [["fastify"], ["rest-fastify"]],
  [["rest", "express", "rest-express"], ["rest-express"]],
  [["express+axios"], ["rest-express+axios"]],
  [["axios"], ["rest-express+axios"]],
  [["grpc-js"], ["grpc-js"]],
  [["all"], allStacks().map(({ name }) => name)],
])("%j selects %j", (names, expected) => {
  expect(selected(...names)).toEqual(expected);
});

it.each([
  ["rset", 'unknown stack "rset"; did you mean "rest"? (see roundtrip help stacks)'],
  ["curl", 'unknown stack "curl" (see roundtrip help stacks)'],
  ["fastify+connect", 'unknown stack "fastify+connect"'],
])("%s is refused", (name, message) => {
  expect(() => selected(name)).toThrow(message);
});
