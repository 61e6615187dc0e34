// From a run directory to everything that is made of it: analysis, summaries, documents and plots.
import {
  analyse,
  analyseDefaults,
  type AnalyseOptions,
  type Analysis,
  type RunFacts,
  type Samples,
} from "@roundtrip/analysis";
import { publishedFor } from "@roundtrip/bench";
import { loadFormat, renderPlots, type ReportInput } from "@roundtrip/report";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WriteStream } from "node:tty";
import { CliError } from "./cli-error.ts";

/** Width and colour of what is printed: colours on terminals only, and never with NO_COLOR. */
function pageOf(stream: WriteStream): ReportInput["page"] {
  return { columns: stream.isTTY ? stream.columns : 100, colour: stream.isTTY && stream.hasColors() };
}

/** Everything that a report is made from. */
export function reportInput(
  facts: RunFacts,
  samples: Samples,
  options: Partial<AnalyseOptions>,
  files: ReportInput["files"],
): ReportInput & { readonly analysis: Analysis } {
  const studies = [...new Set(facts.arms.map((arm) => arm.study))];
  return {
    facts,
    analysis: analyse(facts, samples, { ...analyseDefaults, ...options }),
    published: studies.flatMap((study) => publishedFor(study)),
    files,
    page: pageOf(process.stdout),
  };
}

/** The documents of a run directory, and what each holds. */
export const runDocuments = [
  { path: "run.json", holds: "facts and summaries" },
  { path: "samples.parquet", holds: "every single call" },
  { path: "report.html", holds: "this report with all tables and plots" },
  { path: "report.md", holds: "the same in Markdown" },
  { path: "plots/", holds: "one SVG for each plot" },
] as const;

/** Writes `report.html`, `report.md` and `plots/*.svg` into a run directory. Rejects with a CliError when it cannot. */
export async function writeDocuments(directory: string, input: ReportInput): Promise<void> {
  try {
    const plots = join(directory, "plots");
    await mkdir(plots, { recursive: true });
    for (const { name, svg } of await renderPlots(input)) await writeFile(join(plots, `${name}.svg`), svg);
    for (const [format, fileName] of [
      ["html", "report.html"],
      ["markdown", "report.md"],
    ] as const) {
      await writeFile(join(directory, fileName), await (await loadFormat(format)).render(input));
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new CliError("unavailable", `cannot write the report to ${directory}: ${message}`, { cause });
  }
}
