// The first difference names the path at which two values differ.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { firstDifference } from "../src/case/expectations.ts";

it("finds no difference between a value and its copy", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true }), (value) => {
      expect(firstDifference(structuredClone(value), value, "it")).toBeUndefined();
    }),
  );
});

it.each([
  [1, 2, "it: got 1, expected 2"],
  ["a", "b", 'it: got "a", expected "b"'],
  [0, -0, "it: got 0, expected -0"],
  [1n, 1, "it: got 1n, expected 1"],
  [undefined, "", 'it: got nothing, expected ""'],
  [[1, 2], [1], "it: got 2 items, expected 1"],
  [[{ a: 1 }], [{ a: 2 }], "it[0].a: got 1, expected 2"],
  [{ a: { b: "x" } }, { a: { b: "y" } }, 'it.a.b: got "x", expected "y"'],
  [{ a: 1, extra: true }, { a: 1 }, "it.extra: got true, expected nothing"],
  [{}, { missing: null }, "it.missing: got nothing, expected null"],
  [[], {}, "it: got [], expected {}"],
] as const)("names the path of the difference between $0 and $1: $2", (actual, expected, line) => {
  expect(firstDifference(actual, expected, "it")).toBe(line);
});

it("ignores fields that are not in the contract", () => {
  expect(firstDifference({ a: 1, $unknown: [{ no: 9 }] }, { a: 1 }, "it")).toBeUndefined();
});

it("shortens values that are too long for a line", () => {
  expect(firstDifference("x".repeat(1000), "", "it")).toBe(
    `it: got "${"x".repeat(56)}… (1002 characters), expected ""`,
  );
});
