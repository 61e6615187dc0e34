// How figures about this project are held against their targets, and that every measure is one.
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { figureTable } from "../self/figure-table.ts";
import { ratioIntervals } from "../self/mean-intervals.ts";
import { targetResult, type Figure, type Measure } from "../self/measure.ts";
import { figuresOf } from "../self/measures/default-bench.ts";
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

/** How the figures of default runs stand, each of which planned six rounds. */
function standingsOf(elapsedMs: number, roundsDone: readonly number[]): readonly string[] {
  const runs = roundsDone.map((done) => ({ elapsedMs, roundsPlanned: 6, roundsDone: done }));
  return figuresOf(runs, 1).map((one) => `${one.of}: ${targetResult(one)}`);
}

it("the default bench meets its targets only when it is in time and leaves no round out", () => {
  expect(standingsOf(58_000, [6, 6, 6])).toEqual(["wall time: met", "rounds lacking of 6: met"]);
  expect(standingsOf(61_000, [6, 6, 6])).toEqual(["wall time: missed", "rounds lacking of 6: met"]);
  expect(standingsOf(40_000, [6, 4, 6])).toEqual(["wall time: met", "rounds lacking of 6: missed"]);
  expect(standingsOf(58_000, [6, 6, 6, 6, 6, 6])[1]).toBe("rounds lacking of 6: met");
});

describe("the interval of a ratio", () => {
  it("is not given for fewer than six rounds", () => {
    expect(ratioIntervals([[0, 0.1, 0.2, 0.1, 0]], 1)).toEqual([{ mean: Math.exp(0.08), interval: null }]);
  });

  it("lies around the ratio, and the same seed gives it again", () => {
    const logs = [[0.01, 0.03, 0.02, 0.04, 0.02, 0.03]];
    const [computed] = ratioIntervals(logs, 7);
    expect(computed?.mean).toBeCloseTo(Math.exp(0.025), 12);
    expect(computed?.interval?.low).toBeLessThan(Math.exp(0.025));
    expect(computed?.interval?.high).toBeGreaterThan(Math.exp(0.025));
    expect(ratioIntervals(logs, 7)).toEqual([computed]);
  });
});

describe("a measure", () => {
  const names = readdirSync(join(projectRoot, "bench/self/measures")).map((file) => parse(file).name);

  it.each(names)("%s is explained in CONTRIBUTING.md", (name) => {
    expect(readFileSync(join(projectRoot, "CONTRIBUTING.md"), "utf8")).toContain(`| \`${name}\` | `);
  });

  it("is what a document says that gives a figure", () => {
    const documents = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: projectRoot })];
    const named = documents.flatMap((path) =>
      [...readFileSync(join(projectRoot, path), "utf8").matchAll(/`pnpm bench:self ([a-z0-9-]+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  });

  it("of hours is left out unless it is named", async () => {
    const measures = await Promise.all(
      names.map(async (name) => (await import(`../self/measures/${name}.ts`)) as { readonly measure: Measure }),
    );
    const left = measures.flatMap(({ measure }) => (measure.onlyWhenNamed === true ? [measure.name] : []));
    expect(left).toEqual(["faults", "other-machines"]);
    expect(readFileSync(join(projectRoot, "CONTRIBUTING.md"), "utf8")).toContain(
      "every measure but other-machines and faults",
    );
  });

  it.each(names)("%s is named like its file", async (name) => {
    const { measure } = (await import(`../self/measures/${name}.ts`)) as { readonly measure: Measure };
    expect(measure.name).toBe(name);
  });
});
