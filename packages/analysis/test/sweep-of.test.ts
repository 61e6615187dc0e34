// What is larger: decided factor by factor, never by adding bytes to callers.
import { expect, test } from "vitest";
import { coarseVariant, largestOf, sweepOf } from "../src/comparison/leading-cell.ts";
import { armFor } from "./synthetic-run.ts";

const arm = (factors: Readonly<Record<string, number | string | boolean>>, stack = "grpc-js") =>
  armFor({ stack, variant: "facade", factors });

test("the sweep of a task is its numeric factor with the most values, in their order", () => {
  const arms = [
    arm({ payloadBytes: 4_096, callers: 1 }),
    arm({ payloadBytes: 100, callers: 10 }),
    arm({ payloadBytes: 1_000 }),
  ];
  expect(sweepOf(arms)).toEqual({ factor: "payloadBytes", values: [100, 1_000, 4_096] });
  expect(sweepOf([arm({ attributes: 6, tls: true }), arm({ attributes: 6, tls: false })])).toBeNull();
});

test("the largest arm has the most of what was varied most, however large a lesser factor's numbers are", () => {
  const arms = [
    arm({ attributes: 1, payloadBytes: 1_000_000 }),
    arm({ attributes: 3, payloadBytes: 10 }),
    arm({ attributes: 6, payloadBytes: 10 }),
  ];
  expect(largestOf(arms)).toEqual([arms[2]]);
});

test("one arm stands for each stack: where switches differ, the one that is like the first", () => {
  const arms = ["grpc-js", "rest-express"].flatMap((stack) => [arm({ tls: false }, stack), arm({ tls: true }, stack)]);
  expect(largestOf([...arms.slice(0, 2), ...arms.slice(2).toReversed()])).toEqual([arms[0], arms[2]]);
});

const of = (variant: string, task = "read") => armFor({ stack: "rest", task, variant });

test("the coarse variant of a task is the façade if there is one, otherwise its first variant", () => {
  expect(coarseVariant([of("chatty"), of("facade")], "facade", "read")).toBe("facade");
  expect(coarseVariant([of("single"), of("own-driver")], "facade", "read")).toBe("single");
  expect(coarseVariant([of("other", "write"), of("own-driver"), of("single")], "facade", "read")).toBe("own-driver");
  expect(coarseVariant([], "facade", "read")).toBe("single");
});
