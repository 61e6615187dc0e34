// How often intervals of library effects miss the truth, and the table that says so.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blockIn } from "../../.ci/page-block.ts";
import { exactInterval } from "../self/gate/exact-interval.ts";
import { noises } from "../self/gate/noises.ts";
import { libraryCoverage } from "../self/library-coverage.ts";
import { tableRows } from "./support/markdown-table.ts";
import { projectRoot } from "./support/source-files.ts";

describe("simulated runs in normal noise", () => {
  const { tables, missedRatios, wrongChoices } = libraryCoverage("normal", 6, 100, 1);

  it("keep the promise for ratios", () => {
    expect(exactInterval(missedRatios, tables).low).toBeLessThanOrEqual(0.05);
  });

  it("seldom say that one of two equal choices matters more", () => {
    expect(exactInterval(wrongChoices, tables).low).toBeLessThanOrEqual(0.05);
  });
});

describe("docs/method.md (its table written by `pnpm library-coverage`)", () => {
  it("has every kind of noise of the gate", () => {
    const rows = tableRows(blockIn(readFileSync(join(projectRoot, "docs/method.md"), "utf8"), "library-coverage"));
    expect(rows.map(([noise]) => noise)).toEqual(noises.map(({ name }) => name));
  });
});
