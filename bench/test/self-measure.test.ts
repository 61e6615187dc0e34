// How figures about this project are held against their targets, and that every measure is one.
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { figureTable, meanIntervals, targetResult, type Figure, type Measure } from "../self/measure.ts";
import { projectRoot } from "./support/source-files.ts";

function figure(changes: Partial<Figure>): Figure {
  return { of: "a call", value: 1, interval: null, unit: "×", atMost: 1.05, ...changes };
}

describe("a figure", () => {
  it.each([
    { value: 1.05, interval: null, standing: "met" },
    { value: 1.051, interval: null, standing: "missed" },
    { value: 1.02, interval: { low: 1.0, high: 1.04 }, standing: "met" },
    { value: 1.04, interval: { low: 1.02, high: 1.06 }, standing: "open" },
    { value: 1.06, interval: { low: 1.04, high: 1.08 }, standing: "open" },
    { value: 1.08, interval: { low: 1.06, high: 1.1 }, standing: "missed" },
  ])("of $value within $interval is $standing against 1.05", ({ standing, ...rest }) => {
    expect(targetResult(figure(rest))).toBe(standing);
  });

  it("has no standing without a target", () => {
    expect(targetResult(figure({ atMost: undefined }))).toBe("");
  });

  it("is shown with its interval, its target, how it stands, and the command that measures it again", () => {
    const figures = [figure({ value: 1.04, interval: { low: 1.02, high: 1.06 } })];
    const text = figureTable({ name: "tax", title: "a title" }, 7, figures, { columns: 120, colour: false }).join("\n");
    expect(stripVTControlCharacters(text)).toMatch(/a call +1\.040× +1\.020 to 1\.060 +≤ 1\.050× +open/);
    expect(text).toContain("pnpm bench:self tax --rounds 7");
  });
});

describe("the interval of a mean", () => {
  it("is not given for fewer than six rounds", () => {
    expect(meanIntervals([[0, 0.1, 0.2, 0.1, 0]], 1)).toEqual([
      { mean: expect.closeTo(0.08, 12) as number, interval: null },
    ]);
  });

  it("lies around the mean, and the same seed gives it again", () => {
    const logs = [[0.01, 0.03, 0.02, 0.04, 0.02, 0.03]];
    const [computed] = meanIntervals(logs, 7);
    expect(computed?.mean).toBeCloseTo(0.025, 12);
    expect(computed?.interval?.low).toBeLessThan(0.025);
    expect(computed?.interval?.high).toBeGreaterThan(0.025);
    expect(meanIntervals(logs, 7)).toEqual([computed]);
  });
});

describe("a measure", () => {
  const names = readdirSync(join(projectRoot, "bench/self/measures")).map((file) => parse(file).name);

  it.each(names)("%s is named like its file", async (name) => {
    const { measure } = (await import(`../self/measures/${name}.ts`)) as { readonly measure: Measure };
    expect(measure.name).toBe(name);
  });
});
