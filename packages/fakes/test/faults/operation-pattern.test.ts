// Stars in a pattern match any part of an id.
import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, it } from "vitest";
import { matchesOperation } from "../../src/faults/operation-rules.ts";

const expressions = new Map([
  ["*", ".*"],
  [".", "\\."],
]);

it.each([
  ["a.B.C", "a.B.C", true],
  ["a.B.C", "a.B.CD", false],
  ["*", "a.B.C", true],
  ["a.*", "a.B.C", true],
  ["a.*", "b.B.C", false],
  ["*.C", "a.B.D", false],
  ["*.Get*", "a.B.GetBook", true],
  ["a*a", "a", false],
  ["a**a", "aa", true],
  ["*ab*ab", "ab", false],
  ["*ab*ab", "abab", true],
])("%s and %s: %s", (pattern, id, expected) => {
  expect(matchesOperation(pattern, id)).toBe(expected);
});

it("matches exactly what a regular expression with .* for each star does", () => {
  const parts = array(constantFrom("a", "b", ".", "*"), { maxLength: 8 });
  const ids = string({ unit: constantFrom("a", "b", "."), maxLength: 10 });
  assert(
    property(parts, ids, (pattern, id) => {
      const expression = new RegExp(`^${pattern.map((part) => expressions.get(part) ?? part).join("")}$`);
      expect(matchesOperation(pattern.join(""), id)).toBe(expression.test(id));
    }),
    { numRuns: 500 },
  );
});
