// Samples from elsewhere go through the same analysis as our own.
import { expect, test } from "vitest";
import { analyse, analyseDefaults } from "../src/analyse/analyse.ts";
import { againstFirst } from "../src/comparison/pairs-of.ts";
import { fromLongForm } from "../src/from-long-form.ts";

const rows = ["before", "after", "other"].flatMap((arm, index) =>
  [0, 1, 2, 3, 4, 5].flatMap((round) =>
    [1, 2, 3].map((sample) => ({ arm, round, latencyMs: (index + 1) * (1 + round / 10) + sample / 100 })),
  ),
);

test("every arm is compared with the first", () => {
  const { facts, samples } = fromLongForm(rows);
  const { comparisons, summaries, claims } = analyse(facts, samples, { ...analyseDefaults, pairs: againstFirst });
  expect(comparisons.map(({ numeratorId, denominatorId }) => [numeratorId, denominatorId])).toEqual([
    ["after", "before"],
    ["other", "before"],
  ]);
  expect(comparisons[0]?.ratio).toBeCloseTo(2, 1);
  expect(summaries.map(({ armId, n }) => `${armId} ${n}`)).toEqual(["before 18", "after 18", "other 18"]);
  expect(claims).toMatchObject([
    { kind: "style", armIds: ["after", "before"], strength: "clear" },
    { kind: "style", armIds: ["other", "before"], strength: "clear" },
  ]);
});

test("imported samples carry a warning that the answers were not checked", () => {
  const { facts, samples } = fromLongForm(rows);
  expect(analyse(facts, samples).warnings.map((warning) => warning.code)).toEqual(["foreign-samples"]);
});

test("invalid rows are refused with their number", () => {
  expect(() => fromLongForm([])).toThrow(expect.objectContaining({ code: "no-samples" }));
  expect(() => fromLongForm([{ arm: "a", round: 0, latencyMs: Number.NaN }])).toThrow(/row 1: NaN/);
  expect(() => fromLongForm([{ arm: "a", round: 0, latencyMs: -1 }])).toThrow(
    expect.objectContaining({ code: "negative-latency" }),
  );
  expect(() => fromLongForm([{ arm: "a", round: 0.5, latencyMs: 1 }])).toThrow(/round 0.5/);
});
