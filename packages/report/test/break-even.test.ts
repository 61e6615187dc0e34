// The table of break-evens.
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();

/** The break-even of the first row, with its interval. */
async function firstRow(low: number | null): Promise<string> {
  const [first, ...rest] = input.analysis.breakEvens;
  if (first === undefined) throw new Error("the fixture has no break-even");
  const analysis = { ...input.analysis, breakEvens: [{ ...first, at: 3.1, low, high: 3.2 }, ...rest] };
  const report = await (await loadFormat("markdown")).render({ ...input, analysis });
  const [, table = ""] = report.split("from which level on the façade is faster**");
  return table.split("\n").find((row) => row.includes("| chatty |")) ?? "";
}

test("a break-even is unclear without its interval", async () => {
  expect(await firstRow(3)).toContain("| from 3.10 attributes | 3.00 to 3.20 |");
  expect(await firstRow(null)).toContain("| unclear by attributes | – |");
});
