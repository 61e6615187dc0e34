// The comparisons that a study is about have intervals of their own: other rows of its table do not widen them.
import { expect, it } from "vitest";
import { leadingPairs } from "../../src/comparison/compare-run.ts";
import { pairsOf } from "../../src/comparison/pairs-of.ts";
import type { Arm } from "@roundtrip/runs";
import { armFor } from "../synthetic-run.ts";

const styles = ["rest", "grpc"] as const;

function armsOf(task: string, variant: string, attributes?: number): readonly Arm[] {
  const factors = attributes === undefined ? {} : { attributes };
  return styles.map((style) => armFor({ stack: style, style, task, variant, factors }));
}

const shown = (arms: readonly Arm[]): readonly string[] =>
  [...leadingPairs(pairsOf(arms))].map(({ numerator: { task, variant, factors } }) =>
    [task, variant, ...Object.values(factors)].join(" "),
  );

it("leads are façades at the fewest and the most attributes, and every stack of a task without a sweep", () => {
  const reads = [1, 2, 6].flatMap((count) => [...armsOf("read", "facade", count), ...armsOf("read", "chatty", count)]);
  expect(shown([...armsOf("hello", "single"), ...reads])).toEqual(["hello single", "read facade 1", "read facade 6"]);
});
