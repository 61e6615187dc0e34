// How often intervals from few rounds miss the truth, and the page that says so.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blockIn } from "../../.ci/page-block.ts";
import { coverageOf, mostMissed } from "../self/few-rounds.ts";
import { exactInterval } from "../self/gate/exact-interval.ts";
import { noises } from "../self/gate/noises.ts";
import { tableRows } from "./support/markdown-table.ts";
import { projectRoot } from "./support/source-files.ts";

function missedShare(
  noise: string,
  rounds: number,
  comparisons: number,
): { readonly low: number; readonly high: number } {
  const { missed, tables } = coverageOf({ noise, rounds, comparisons, tables: 2_000 }, 1);
  return exactInterval(missed, tables);
}

describe("simulated tables", () => {
  it.each([3, 4, 5])("of %i rounds keep the promise in normal noise, and come near it", (rounds) => {
    for (const comparisons of [1, 3]) {
      const { low, high } = missedShare("normal", rounds, comparisons);
      expect(low).toBeLessThanOrEqual(mostMissed);
      expect(high).toBeGreaterThan(0.8 * mostMissed);
    }
  });

  it("do not keep it where rounds resemble each other: the reason why such claims are only likely", () => {
    expect(missedShare("autocorrelated", 5, 3).low).toBeGreaterThan(2 * mostMissed);
  });
});

describe("docs/method.md (its table written by `pnpm few-rounds`)", () => {
  const rows = tableRows(blockIn(readFileSync(join(projectRoot, "docs/method.md"), "utf8"), "few-rounds"));

  it("has every kind of noise of the gate", () => {
    const named = new Set(rows.map(([noise]) => noise));
    for (const { name } of noises) expect(named).toContain(name);
  });

  it("has what is simulated now", () => {
    const { missed, tables } = coverageOf({ noise: "spiky", rounds: 4, comparisons: 3, tables: 10_000 }, 1);
    const row = rows.find(([noise, compared]) => noise === "spiky" && compared === "3");
    expect(row?.[3]).toBe(`${((100 * missed) / tables).toFixed(1)} %`);
  });
});
