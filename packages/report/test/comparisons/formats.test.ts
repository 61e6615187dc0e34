// What users and programs read of a comparison, format by format.
import { loadComparisonFormat } from "@roundtrip/report";
import type { VersionComparison } from "@roundtrip/analysis";
import { parseHTML } from "linkedom";
import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needing } from "../../../../.ci/needs/needing.ts";
import { better, cellsOf, failed, inconclusive, inputOf, passed, runs, slowRest } from "../support/comparison.ts";

async function rendered(name: string, comparison: VersionComparison): Promise<string> {
  return (await loadComparisonFormat(name)).render(inputOf(comparison));
}

const all = { failed, passed, inconclusive, better, runs };

describe("on a terminal", async () => {
  it("a comparison begins with its verdict in words, the numbers and how sure they are", async () => {
    const text = await rendered("terminal", failed);
    expect(text.replaceAll(/\s+/g, " ")).toMatch(
      /^FAIL HEAD \(9e8d7c6, with uncommitted changes\) costs more than main \(4f1c2ab\): REST hello \(latency \+8\.1 %, server CPU \+6\.4 %\)\./,
    );
    expect(text.replaceAll(/\s+/g, " ")).toContain("fails with a probability of at most 1 %");
    expect(text.replaceAll(/\s+/g, " ")).toContain("12 fresh rounds showed it again");
    expect(text).toContain("Next: ");
  });

  it("a failure ends with a command that prints exactly the failed rows", await needing("grep"), async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "it's a folder "));
    const path = join(folder.path, "comparison.junit.xml");
    writeFileSync(path, await rendered("junit", failed));
    const terminal = await loadComparisonFormat("terminal");
    const withFile = (comparison: VersionComparison) =>
      terminal.render({ ...inputOf(comparison), files: [{ path, holds: "one test case a metric" }] });
    const [, command = ""] = /^The failed rows alone:\n {2}(.*)$/m.exec(withFile(failed)) ?? [];
    const rows = execFileSync("sh", ["-c", command], { encoding: "utf8" }).trimEnd().split("\n");
    const worse = failed.cells.filter(({ state }) => state === "worse");
    expect(worse).not.toEqual([]);
    expect(rows.map((row) => / name="(.*?)"/.exec(row)?.[1])).toEqual(worse.map(({ metric }) => metric));
    for (const row of rows) expect(row).toContain('classname="gate/hello/rest-express/single"');
    expect(withFile(passed)).not.toContain("grep");
  });

  it("a pass names what was judged, between which versions, and the largest loss that still fits", async () => {
    const text = (await rendered("terminal", passed)).replaceAll(/\s+/g, " ");
    expect(text).toMatch(
      /^PASS Median latency and server CPU rose by less than 5 % from main \(4f1c2ab\) to HEAD \(9e8d7c6\), in all 18 metrics\./,
    );
    expect(text).toContain("The most that fits what was seen is");
    expect(text).toContain("Judged: median latency and server CPU alone. Means and tails are shown, not judged.");
    expect(text).not.toContain("Next: ");
  });

  it.each([
    [["latencyMs"], "Median latency"],
    [["serverCpuMsPerTask"], "Server CPU"],
    [["latencyMs", "serverCpuMsPerTask"], "Median latency and server CPU"],
  ])("a pass by %j claims nothing of the rest", async (metrics, judged) => {
    const cells = passed.cells.filter(({ metric }) => metrics.includes(metric));
    const text = (await rendered("terminal", { ...passed, cells })).replaceAll(/\s+/g, " ");
    expect(text).toMatch(new RegExp(`^PASS ${judged} rose by less than 5 % `));
    expect(text).not.toContain("costs less");
  });

  it("an inconclusive comparison says what could have been seen, and what to do", async () => {
    const text = (await rendered("terminal", inconclusive)).replaceAll(/\s+/g, " ");
    expect(text).toMatch(/^INCONCLUSIVE 1 metric of 18 could not be decided/);
    expect(text).toContain("find a loss of 7.4 % nine times in ten (GraphQL read, chatty, latency;");
    expect(text).toContain("Next: At this noise --detect 9% should decide it, or use a quieter machine;");
  });

  it("two runs have no verdict, and the reason why stands in its place", async () => {
    const text = (await rendered("terminal", runs)).replaceAll(/\s+/g, " ");
    expect(text).toMatch(/^NO VERDICT runs\/friday and runs\/monday were measured in different jobs\./);
    expect(text).toContain("41 to 60 %");
    expect(text).toContain("CPU model AMD EPYC 7B13 Intel Xeon 8370C");
  });

  it("one line stands for each arm that changed; the others are counted", async () => {
    const text = await rendered("terminal", failed);
    expect(text.split("\n").filter((line) => line.includes("▲ +"))).toEqual([
      "REST hello  ▲ +8.1 %  +6 to +11 %  ▲ +6.4 %  +5.1 to +7.7 %",
    ]);
    expect(text).toContain("8 other arms: 16 metrics not worse, at most +2.4 %.");
  });

  it("what could not be decided, and what was gained, have lines of their own too", async () => {
    expect(await rendered("terminal", inconclusive)).toMatch(/^GraphQL read, chatty {2}\? \+3\.1 % .* = /m);
    expect(await rendered("terminal", better)).toMatch(/^gRPC read, façade {2}▼ −12 %/m);
  });

  it("everything fits 80 columns", async () => {
    for (const comparison of Object.values(all)) {
      // oxlint-disable-next-line no-await-in-loop
      const lines = (await rendered("terminal", comparison)).split("\n");
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it("colours come only when they are asked for, and carry nothing that words do not", async () => {
    const format = await loadComparisonFormat("terminal");
    const input = inputOf(failed);
    const plain = format.render(input);
    const coloured = format.render({ ...input, page: { ...input.page, introducer: "\u001B[" } });
    expect(plain).not.toContain("\u001B");
    expect(coloured).toContain("\u001B[31mFAIL");
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replaceAll(/\u001B\[\d+m/g, "")).toBe(plain);
  });

  it("names from outside bring no control characters", async () => {
    const head = { label: "evil\u001B]0;title\u0007" };
    expect(await rendered("terminal", { ...passed, head })).not.toContain("\u001B");
  });
});

describe("in Markdown", () => {
  it("the verdict and a table of what changed come first, everything else is folded", async () => {
    const text = await rendered("markdown", failed);
    const [open = "", ...folded] = text.split("<details>");
    expect(open).toContain("### Roundtrip: FAIL");
    expect(open.split("\n").filter((line) => line.startsWith("| REST hello"))).toEqual([
      "| REST hello | ▲ +8.1 % | +6 to +11 % | ▲ +6.4 % | +5.1 to +7.7 % |",
      expect.stringMatching(/^\| REST hello \| 1\.\d\d → 1\.\d\d \| [\d.]+ → [\d.]+ \| [\d.]+ → [\d.]+ \|$/),
      "| REST hello | bytes | 293 | 341 | +48 |",
    ]);
    expect(folded.map((part) => /<summary>(.*)<\/summary>/.exec(part)?.[1])).toEqual([
      "All figures: 18 metrics of 9 arms",
      "1 warning",
    ]);
    expect(text).toContain("base: main (4f1c2ab), head: HEAD (9e8d7c6, with uncommitted changes)");
  });

  it("a comparison of three hundred metrics still fits a comment", async () => {
    const many = Array.from({ length: 17 }, (_, copy) =>
      cellsOf(slowRest).map((cell) => ({ ...cell, task: `${cell.task}-${copy}`, id: `${copy}${cell.id}` })),
    ).flat();
    const warnings = Array.from({ length: 300 }, (_, index) => ({ code: "many", message: `warning ${index}` }));
    const text = await rendered("markdown", { ...failed, cells: many, warnings });
    expect(many.length).toBeGreaterThan(300);
    expect(text.length).toBeLessThan(40_000);
    expect(text).toContain("more rows in the other formats");
  });

  it("names from outside are text: they end no table, open no element, and mention no user", async () => {
    const label = "@org/team #12 <img src=x> | a `b` **c** </details>";
    const text = await rendered("markdown", { ...failed, head: { label }, onlyHead: ["@someone/else"] });
    expect(text).not.toMatch(/@(?!<!-- -->)/);
    expect(text).not.toMatch(/#12/);
    expect(text).not.toMatch(/(?<!\\)<img/);
    expect(text.match(/^<\/details>/gm)?.length).toBe(text.match(/^<details>/gm)?.length);
    expect(text.match(/(?<!\\)<\/details/g)?.length).toBe(2);
  });

  it("pictures stand beside a document that can load them", async () => {
    const format = await loadComparisonFormat("markdown");
    const pictures = [{ path: "plots/comparison-changes.svg", alt: "Changes" }];
    const text = format.render({ ...inputOf(failed), pictures });
    expect(text).toContain("![Changes](plots/comparison-changes.svg)");
  });
});

it("as a page a comparison is one file that loads and runs nothing, its verdict first and its pictures in it", async () => {
  const page = await rendered("html", failed);
  expect(page).toContain("default-src &#39;none&#39;");
  expect(page).not.toMatch(/<script|src="http|<link/);
  const { document } = parseHTML(page);
  expect(document.querySelector("main h2")?.textContent).toBe("FAIL");
  expect(document.querySelectorAll("figure")).toHaveLength(1);
  expect(document.querySelectorAll("#figures tbody tr")).toHaveLength(18);
});

describe("for programs", () => {
  it("JSON has the comparison as it is, and the version of its form", async () => {
    const { schemaVersion, headline, ...comparison } = JSON.parse(await rendered("json", failed)) as {
      readonly schemaVersion: number;
      readonly headline: string;
    };
    expect(schemaVersion).toBe(1);
    expect(headline).toMatch(/^HEAD .*costs more than main/);
    expect(comparison).toEqual(structuredClone(failed));
  });

  it("github-action-benchmark gets one entry a metric, with a name that never changes, head's median and how far it scatters", async () => {
    const entries = JSON.parse(await rendered("github-action-benchmark", failed)) as Record<string, unknown>[];
    expect(entries).toHaveLength(18);
    expect(entries.map((entry) => Object.keys(entry))).toEqual(
      entries.map(() => ["name", "unit", "value", "range", "extra"]),
    );
    expect(entries[2]).toMatchObject({
      name: "gate/hello/rest-express/single latencyMs",
      unit: "ms",
      value: failed.cells[2]?.head.p50,
    });
    expect(entries[2]?.["range"]).toMatch(/^± \d/);
    expect(entries[2]?.["extra"]).toContain("change: +8.1 % (95 % interval +6 to +11 %)");
  });

  it("Bencher gets one benchmark an arm, its measures in nanoseconds with their bounds", async () => {
    const metrics = JSON.parse(await rendered("bencher", failed)) as Record<string, Record<string, unknown>>;
    expect(Object.keys(metrics)).toHaveLength(9);
    const { head } = failed.cells[2] as (typeof failed.cells)[number];
    expect(metrics["gate/hello/rest-express/single"]).toMatchObject({
      latency: {
        value: head.p50 * 1e6,
        lower_value: (head.p50Low ?? 0) * 1e6,
        upper_value: (head.p50High ?? 0) * 1e6,
      },
      "server-cpu": { value: expect.any(Number) as number },
    });
  });
});

it("the memory of servers stands in each document with base and head, and is not judged", async () => {
  expect(await rendered("terminal", passed)).toMatch(/gRPC hello +90\.0 → 95\.0 +–\n/);
  expect(await rendered("markdown", passed)).toContain("| REST hello | 91.0 → 96.0 | 20.0 → 21.0 |");
  expect(await rendered("html", passed)).toContain("91.0 → 96.0");
  const line = "server memory, not judged: peak 91.0 → 96.0 MiB, allocated 20.0 → 21.0 KiB a task";
  expect(await rendered("junit", passed)).toContain(`gate/hello/rest-express/single: ${line}`);
  expect(await rendered("github-action-benchmark", passed)).toContain(line);
  expect(JSON.parse(await rendered("bencher", passed))).toMatchObject({
    "gate/hello/grpc-js/single": { "server-memory-peak": { value: 95 * 2 ** 20 } },
    "gate/hello/rest-express/single": { "server-memory-allocated": { value: 21 * 2 ** 10 } },
  });
  expect(JSON.parse(await rendered("json", passed))).toMatchObject({ memory: passed.memory });
  expect(await rendered("markdown", { ...passed, memory: [] })).not.toContain("Memory of the server");
});
