// Lists the runs of a history as a table or JSON.
import { column, inks, textTable, type Table } from "@roundtrip/report/text-table";
import { momentLabel, revisionLabel } from "@roundtrip/report/trends";
import { page } from "../output/page.ts";
import type { HistoryFile } from "./history-file.ts";
import type { HistoryFlags } from "./history-flags.ts";
import type { HistoryRun } from "./history-run.ts";
import { mostRuns } from "./selected-runs.ts";
import type { EnvironmentFingerprint } from "@roundtrip/analysis";

const letters = 26;

function letterName(index: number): string {
  const letter = String.fromCodePoint(65 + (index % letters));
  return index < letters ? letter : `${letterName(Math.floor(index / letters) - 1)}${letter}`;
}

function environmentNames(runs: readonly HistoryRun[]): (environment: EnvironmentFingerprint) => string {
  const seen = [...new Set(runs.map(({ environment }) => JSON.stringify(environment)))];
  return (environment) => letterName(seen.indexOf(JSON.stringify(environment)));
}

const usualLast = 20;

const dirtyMark = "+";

function table(path: string, runs: readonly HistoryRun[], total: number): Table {
  const nameOf = environmentNames(runs);
  const rows = runs.map((run) => ({
    cells: [
      momentLabel(run.at),
      `${revisionLabel(run.revision)}${run.isDirty === true ? dirtyMark : ""}`,
      run.branch,
      run.status === "complete" ? "" : run.status,
      String(run.rounds),
      nameOf(run.environment),
      run.id,
    ],
    nested: null,
    role: "measured" as const,
  }));
  const environments = [...new Map(runs.map(({ environment }) => [nameOf(environment), environment]))];
  const legend = environments.map(
    ([name, { cpuModel, cores, kernel, runtime, link }]) =>
      `${name}: ${cpuModel}, ${cores} cores, ${kernel}, ${runtime}, ${link}`,
  );
  const isAnyDirty = runs.some(({ isDirty }) => isDirty === true);
  const dirtyLegend = isAnyDirty ? [`${dirtyMark}: with changes that were not committed`] : [];
  const columns = ["when", "revision", "branch", "status"].map(column.start);
  return {
    id: "history",
    caption: `${path}: ${runs.length === total ? "all" : `the last ${runs.length} of`} ${total} runs`,
    columns: [...columns, column.end("rounds"), column.start("environment"), column.start("id")],
    rows,
    note: `${[...legend, ...dirtyLegend].join(". ")}.`,
  };
}

export function listRuns(history: HistoryFile, { branch: typed, last, json }: HistoryFlags): string {
  const branch = typed ?? null;
  const runs = history.runs({ branch, last: last ?? (json ? mostRuns : usualLast) });
  const branches = history.branches();
  if (json) return `${JSON.stringify({ file: history.path, branches: Object.fromEntries(branches), runs }, null, 2)}\n`;
  const total = [...branches].reduce((sum, [name, count]) => sum + (branch === null || branch === name ? count : 0), 0);
  if (runs.length === 0) return `${history.path} has no runs${branch === null ? "" : ` of branch ${branch}`}.\n`;
  const { columns, colour } = page();
  return `${textTable(table(history.path, runs, total), columns, inks(colour)).join("\n")}\n`;
}
