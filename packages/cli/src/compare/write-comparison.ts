// Prints a comparison and writes its documents.
import { requireKnown } from "../basics/cli-error.ts";
import type { VersionComparison } from "@roundtrip/analysis";
import {
  comparisonFormatNames,
  loadComparisonFormat,
  renderComparisonPlots,
  type ComparisonInput,
  type ReportFile,
} from "@roundtrip/report";
import { join } from "node:path";
import { writeDocument } from "../output/output-file.ts";
import { page } from "../output/page.ts";

export interface ShowFlags {
  readonly format?: string;
  readonly json: boolean;
}

const holds: Readonly<Record<string, string>> = {
  html: "the comparison as a page, with pictures",
  json: "the comparison for programs",
  junit: "one test case a metric",
  markdown: "the comparison in Markdown, its pictures beside it",
  bencher: "head's figures in Bencher Metric Format",
  "github-action-benchmark": "head's figures for github-action-benchmark",
};

/** The requested format. Throws a usage error for an unknown one. */
export function comparisonFormat({ format, json }: ShowFlags): string {
  if (json) return "json";
  if (format === undefined) return "terminal";
  requireKnown("format", format, comparisonFormatNames());
  return format;
}

/** Writes a comparison with its plots in every format but the terminal's, and returns the paths. Rejects with a CliError `unavailable`. */
async function writeComparison(comparison: VersionComparison, directory: string): Promise<readonly ReportFile[]> {
  const plots = renderComparisonPlots(comparison);
  for (const { name, svg } of plots) await writeDocument(join(directory, "plots", `${name}.svg`), svg);
  const input: ComparisonInput = {
    comparison,
    files: [],
    pictures: plots.map(({ name, alt }) => ({ path: `plots/${name}.svg`, alt })),
    page: { columns: page().columns, introducer: "" },
  };
  const written: ReportFile[] = [];
  for (const name of comparisonFormatNames().filter((one) => one !== "terminal")) {
    const format = await loadComparisonFormat(name);
    await writeDocument(join(directory, format.fileName), format.render(input));
    written.push({ path: join(directory, format.fileName), holds: holds[name] ?? name });
  }
  return written;
}

/** Prints a comparison, and writes its documents if a directory is given. Rejects with `usage` for an unknown format first, or `unavailable`. */
export async function showComparison(
  comparison: VersionComparison,
  flags: ShowFlags,
  directory?: string,
): Promise<void> {
  const format = await loadComparisonFormat(comparisonFormat(flags));
  const files = directory === undefined ? [] : await writeComparison(comparison, directory);
  const input: ComparisonInput = { comparison, files, pictures: [], page: page() };
  process.stdout.write(format.render(input));
}
