// Analyses a run directory, and writes its documents and plots.
import {
  analyseGathered,
  analyseDefaults,
  type AnalyseOptions,
  type Analysis,
  type GatheredCalls,
} from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import { publishedFor } from "@roundtrip/bench";
import type { ReportInput } from "@roundtrip/report";
import { loadFormat } from "@roundtrip/report/registry";
import { join, relative } from "node:path";
import { writeDocument } from "./output-file.ts";
import { page } from "./page.ts";

export function reportInput(
  facts: RunFacts,
  calls: GatheredCalls,
  options: Partial<AnalyseOptions>,
  files: ReportInput["files"],
): ReportInput & { readonly analysis: Analysis } {
  const studies = [...new Set(facts.arms.map((arm) => arm.study))];
  return {
    facts,
    analysis: analyseGathered(facts, calls, { ...analyseDefaults, ...options }),
    published: studies.flatMap((study) => publishedFor(study)),
    files,
    page: page(),
  };
}

export const runDocuments = [
  { path: "run.json", holds: "facts" },
  { path: "samples.parquet", holds: "every single call" },
  { path: "report.html", holds: "this report with all tables and plots" },
  { path: "report.md", holds: "the same in Markdown" },
  { path: "plots/", holds: "one SVG for each plot" },
] as const;

/** The report input for a document in this directory, with file names relative to it and without emphasis. */
export function inFileOf(directory: string, input: ReportInput): ReportInput {
  const files = input.files.map(({ path, holds }) => ({
    path: `${relative(directory, path)}${path.endsWith("/") ? "/" : ""}`,
    holds,
  }));
  return { ...input, files, page: { ...input.page, introducer: "" } };
}

/** Writes `report.html`, `report.md` and `plots/*.svg`. Rejects with a CliError `unavailable`. */
export async function writeDocuments(directory: string, input: ReportInput): Promise<void> {
  const beside = inFileOf(directory, input);
  // Loaded on demand, because it loads a DOM.
  const { renderPlots } = await import("@roundtrip/report");
  for (const { name, svg } of await renderPlots(beside))
    await writeDocument(join(directory, "plots", `${name}.svg`), svg);
  for (const [format, fileName] of [
    ["html", "report.html"],
    ["markdown", "report.md"],
  ] as const) {
    await writeDocument(join(directory, fileName), await (await loadFormat(format)).render(beside));
  }
}
