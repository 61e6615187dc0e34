// What a comparison says first: tails and means that moved, and what would decide one that is open.
import { loadComparisonFormat } from "@roundtrip/report";
import type { ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { cellsOf, failed, inconclusive, inputOf, passed, runs, slowTail } from "../support/comparison.ts";

async function rendered(name: string, comparison: VersionComparison): Promise<string> {
  return (await loadComparisonFormat(name)).render(inputOf(comparison));
}

describe("a tail or a mean that moved", () => {
  const verdicts = { passed, inconclusive, failed, runs };
  const judged = { both: ["latencyMs", "serverCpuMsPerTask"], cpu: ["serverCpuMsPerTask"] };
  const table = Object.entries(verdicts).flatMap(([verdict, comparison]) =>
    Object.entries(judged).map(([which, metrics]) => [verdict, which, comparison, metrics] as const),
  );

  it.each(table)("opens the first sentence of %s, with %s judged, in every format for people", async (...row) => {
    const [, , comparison, metrics] = row;
    const cells = comparison.cells.filter(({ metric }) => metrics.includes(metric));
    const moved: VersionComparison = { ...comparison, cells, latencies: slowTail };
    const sentence = /Not judged, but changed: gRPC hello p99 [\d.]+ → [\d.]+ ms, mean [\d.]+ → [\d.]+ ms\./;
    const { headline } = JSON.parse(await rendered("json", moved)) as { readonly headline: string };
    expect(headline).toMatch(new RegExp(`^${sentence.source}`));
    const [terminal = ""] = (await rendered("terminal", moved)).replaceAll(/\s+/g, " ").split(". ");
    expect(`${terminal}.`).toMatch(sentence);
    expect((await rendered("markdown", moved)).split("\n")[2]).toMatch(sentence);
    const page = parseHTML(await rendered("html", moved)).document;
    expect(page.querySelector("#verdict p")?.textContent?.replaceAll(/\s+/g, " ")).toMatch(sentence);
    expect((await rendered("junit", moved)).split("<system-out>").at(-1)).toMatch(sentence);
  });

  it("is not spoken of where none did", async () => {
    for (const comparison of [failed, passed, inconclusive, runs]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await rendered("terminal", comparison)).not.toContain("Not judged");
    }
  });

  const shown = ["terminal", "markdown", "html", "junit", "github-action-benchmark"];

  it.each(shown)("has p50, p99 and mean of base and head in %s, for every task", async (name) => {
    const cells = passed.cells.filter(({ metric }) => metric === "serverCpuMsPerTask");
    const text = await rendered(name, { ...passed, cells, latencies: slowTail });
    expect(text.match(/ → /g)?.length ?? 0).toBeGreaterThanOrEqual(3 * slowTail.length);
    for (const statistic of ["p50", "p99", "mean"]) expect(text).toContain(statistic);
    expect(text).toContain("(6.00×)");
  });

  it("is in Bencher's figures, also where only processor time is judged", async () => {
    const cells = passed.cells.filter(({ metric }) => metric === "serverCpuMsPerTask");
    const measures = JSON.parse(
      await rendered("bencher", { ...passed, cells, latencies: slowTail, memory: [] }),
    ) as object;
    expect(Object.values(measures).map((arm: object) => Object.keys(arm))).toEqual(
      slowTail.map(() => ["latency", "latency-p99", "latency-mean", "server-cpu"]),
    );
  });
});

function open(change: Partial<ComparedCell>): VersionComparison {
  const undecided = (id: string): Partial<ComparedCell> =>
    id === "gate/hello/grpc-js/single latencyMs" ? { state: "undecided", ...change } : {};
  return { ...inconclusive, cells: cellsOf(undecided) };
}

describe("an open comparison", () => {
  it.each([
    ["a little more time", { ratio: 1, atMost: 1.058 }, "--budget 210s or --detect 6%"],
    ["no time that anybody has", { ratio: 1.03, atMost: 1.085 }, "--detect 9%"],
    ["no time, since the effect is there", { ratio: 1.049, atMost: 1.058 }, "--detect 6%"],
    ["nothing, without a bound", { ratio: 1, atMost: null }, undefined],
  ])("says that %s would decide it", async (_name, change, ways) => {
    const text = (await rendered("terminal", open(change))).replaceAll(/\s+/g, " ");
    const sure = ways === undefined ? "Next: Use a quieter machine;" : `Next: At this noise ${ways} should decide it,`;
    expect(text).toContain(sure);
  });

  const busy = { code: "busy", message: "busy machine: other processes took 1.6 of 2 cores; no block lost its core" };
  const states = { inconclusive, failed } as const;

  it.each(Object.entries(states))("or one that is %s names what the machine did, once", async (_name, comparison) => {
    for (const name of ["terminal", "markdown", "html"]) {
      // oxlint-disable-next-line no-await-in-loop
      const text = (await rendered(name, { ...comparison, warnings: [busy] })).replaceAll(/\s+/g, " ");
      expect(text.match(/other processes took 1\.6 of 2 cores/g)).toHaveLength(1);
    }
  });
});
