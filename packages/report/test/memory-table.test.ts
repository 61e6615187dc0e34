// The memory of processes as a table and as a sentence.
import type { Metric, RatioClaim } from "@roundtrip/analysis";
import { expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { claimSentences } from "../src/words/claim-sentences.ts";
import { defaultInput } from "./support/fixture.ts";
import { summarise } from "./support/statistics.ts";

const input = defaultInput();
const mebibyte = 2 ** 20;

function withMemory(bytesOf: Partial<Record<Metric, number>>): typeof input {
  const summaries = input.analysis.arms
    .filter(({ study }) => study === "hello")
    .flatMap(({ id }) =>
      Object.entries(bytesOf).map(([metric, bytes]) => summarise(id, metric as Metric, [bytes, bytes])),
    );
  return { ...input, analysis: { ...input.analysis, summaries: [...input.analysis.summaries, ...summaries] } };
}

async function rowsOf(shown: typeof input, name: "markdown" | "html" | "terminal"): Promise<string> {
  const text = await (await loadFormat(name)).render(shown);
  const at = text.indexOf("memory in MiB");
  return at === -1 ? "" : text.slice(at, at + 2_000);
}

test("memory stands in each document, in MiB and KiB", async () => {
  const shown = withMemory({
    serverWarmBytes: 80 * mebibyte,
    clientResidentBytes: 91.5 * mebibyte,
    serverPeakBytes: 101 * mebibyte,
    serverAllocatedBytesPerTask: 20_480,
  });
  expect(await rowsOf(shown, "markdown")).toContain(
    "| arm | server warm | server peak | server allocated, KiB | client end |\n| :-- | --: | --: | --: | --: |\n| GraphQL | 80.0 | 101 | 20.0 | 91.5 |",
  );
  for (const name of ["html", "terminal"] as const) expect(await rowsOf(shown, name)).toContain("91.5");
});

test("where the kernel reports none, the table says so; without any figure there is none", async () => {
  const text = "The system does not report the resident memory of processes.";
  expect(await rowsOf(withMemory({ clientAllocatedBytesPerTask: 1_024 }), "markdown")).toContain(text);
  expect(await rowsOf(withMemory({ clientResidentBytes: 1_024 }), "markdown")).not.toContain(text);
  expect(await rowsOf(input, "markdown")).toBe("");
});

test("a claim says how many times as much a server holds", () => {
  const { arms } = input.analysis;
  const idOf = (title: string): string => arms.find((arm) => arm.study === "hello" && arm.title === title)?.id ?? "";
  const claim = (title: string, ratio: number): RatioClaim => ({
    kind: "memory",
    study: "hello",
    task: "hello",
    strength: "clear",
    armIds: [idOf(title), idOf("REST")],
    ratio,
    low: ratio - 0.1,
    high: ratio + 0.1,
    basis: "max-t",
    hodgesLehmann: ratio,
    rounds: 6,
  });
  const [sentence] = claimSentences({ arms, claims: [claim("GraphQL", 1.8), claim("gRPC", 1.2)] });
  expect(sentence?.text).toBe(
    "While it answers one hello call, the server of GraphQL holds 1.80 × (1.70 to 1.90) and gRPC holds 1.20 × (1.10 to 1.30) the memory of REST's, at their peaks.",
  );
});
