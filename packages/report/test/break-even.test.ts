// The table of break-evens.
import type { BreakEven, BreakEvenLine } from "@roundtrip/analysis";
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();

/** The first row, with these parts. */
async function firstRow(parts: Partial<BreakEven>): Promise<string> {
  const [first, ...rest] = input.analysis.breakEvens;
  if (first === undefined) throw new Error("the fixture has no break-even");
  const analysis = { ...input.analysis, breakEvens: [{ ...first, ...parts }, ...rest] };
  const report = await (await loadFormat("markdown")).render({ ...input, analysis });
  const [, table = ""] = report.split("where the façade is faster**");
  return table.split("\n").find((row) => row.includes("| chatty |")) ?? "";
}

test("a break-even needs its interval, and stands beside the levels that were measured", async () => {
  const line = input.analysis.breakEvens[0]?.line as BreakEvenLine;
  const levels = { levels: [1, 2, 6], facadeAt: [6], otherAt: [1] };
  const rowWith = (low: number | null) => firstRow({ ...levels, line: { ...line, at: 3.1, low, high: 3.2 } });
  expect(await rowWith(3)).toContain(
    "| chatty | 6 attributes | 1 attribute | 2 attributes | from 3.10 | 3.00 to 3.20 |",
  );
  expect(await rowWith(null)).toContain("| 2 attributes | – | – |");
});

test("levels whose units differ in cost have no line", async () => {
  const { line: _, ...rest } = input.analysis.breakEvens[0] as BreakEven;
  const parts = { ...rest, factor: "levels", levels: [1, 2, 3], facadeAt: [1, 2, 3], otherAt: [], line: undefined };
  expect(await firstRow(parts as unknown as Partial<BreakEven>)).toContain(
    "| chatty | 1, 2 and 3 levels | – | – | – | – | – | – |",
  );
});
