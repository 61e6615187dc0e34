// Calls in process in tables of figures, and the claim about them.
import type { Comparison } from "@roundtrip/analysis";
import { idsFromName, type Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { claimSentences } from "../src/words/claim-sentences.ts";
import { whatFollows } from "../src/words/what-follows.ts";
import { clearClaim, defaultInput } from "./support/fixture.ts";
import { summarise } from "./support/statistics.ts";

const input = defaultInput();
const [rest] = input.analysis.arms.filter(({ study, title }) => study === "hello" && title === "REST");
if (rest === undefined) throw new Error("the fixture has no REST");
const own: Arm = {
  ...rest,
  ...idsFromName("in-process"),
  id: "hello/hello/in-process/single",
  title: "in process",
  role: "in-process",
};

const comparison: Comparison = {
  kind: "in-process",
  numeratorId: rest.id,
  denominatorId: own.id,
  ratio: 71.2,
  low: 64,
  high: 79,
  basis: "max-t",
  hodgesLehmann: 71,
  rounds: 6,
  verdict: "different",
  family: "hello/hello/in-process",
  familySize: 1,
};
const claim = clearClaim("in-process", own, comparison);
const { analysis } = input;
const measured = {
  ...input,
  analysis: {
    ...analysis,
    arms: [...analysis.arms, own],
    summaries: [...analysis.summaries, summarise(own.id, "latencyMs", [0.002, 0.002, 0.003])],
    comparisons: [...analysis.comparisons, comparison],
    claims: [...analysis.claims, claim],
  },
};

async function rendered(name: string): Promise<string> {
  return (await loadFormat(name)).render(measured);
}

test("the table of figures has a row for them and a column of multiples", async () => {
  const rows = (await rendered("markdown")).split("\n");
  const heads = rows.findIndex((row) => row.includes("| × in process |"));
  const at = (rows[heads] ?? "").split(" | ").indexOf("× in process");
  const cellOf = (arm: string): string | undefined =>
    rows
      .slice(heads)
      .find((row) => row.startsWith(`| ${arm} |`))
      ?.split(" | ")[at];
  expect(cellOf("REST")).toBe("71.2×");
  expect(cellOf("in process")).toBe("1");
  expect(cellOf("gRPC")).toBe("–");
});

test("one screen has no row for them", async () => {
  expect(await rendered("summary")).not.toMatch(/^in process/m);
});

test("they are in no plot", async () => {
  const [page] = (await rendered("html")).split("<footer");
  const drawn = [...(page ?? "").matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([svg]) => svg).join("");
  expect(drawn).toContain("REST");
  expect(drawn).not.toContain("in process");
});

test("one sentence says how many times as long a call over loopback takes", () => {
  const text = "One hello call over loopback, in times of the same call in process: 71.2 × (64.0 to 79.0) over REST.";
  expect(claimSentences(measured.analysis).map((sentence) => sentence.text)).toContain(text);
  expect(whatFollows(measured)).toContain(text);
});
