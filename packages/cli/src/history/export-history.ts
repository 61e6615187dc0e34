// Exports a history in long form, a line for each run, arm and metric, for spreadsheets and data frames.
import { historyCsv } from "@roundtrip/report/trends";
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileFault, makeDirectory } from "@roundtrip/runner/files";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";
import type { HistoryFile } from "./history-file.ts";
import type { HistoryFlags } from "./history-flags.ts";
import type { HistoryCell, HistoryRun } from "./history-run.ts";
import { columns } from "./rows.ts";

const formats = ["csv", "json"] as const;

/** LIMIT -1 means no limit. */
const all = -1;

const armColumns = columns.arm.filter((name) => name !== "title");
const csvColumns = ["runId", ...columns.run, ...armColumns, ...columns.figures];

function lineOf({ environment, id: runId, ...run }: HistoryRun, cell: HistoryCell) {
  const { title: _title, ...figures } = cell;
  return { ...run, ...environment, ...figures, runId };
}

type Line = ReturnType<typeof lineOf>;

function csvLine({ factors, roundMeans, ...line }: Line) {
  return { ...line, factors: JSON.stringify(factors), roundMeans: roundMeans.map((mean) => mean ?? "").join(" ") };
}

function* parts(history: HistoryFile, flags: HistoryFlags, format: string): Generator<string> {
  const runs = history.runs({ branch: flags.branch ?? null, last: flags.last ?? all });
  if (format === "csv") yield historyCsv(csvColumns, [], true);
  let written = 0;
  for (const run of runs) {
    const lines = history.cells(run.id, flags).map((cell) => lineOf(run, cell));
    if (format === "csv") yield historyCsv(csvColumns, lines.map(csvLine), false);
    else for (const line of lines) yield `${written++ === 0 ? "[\n" : ",\n"}${JSON.stringify(line)}`;
  }
  if (format === "json") yield written === 0 ? "[]\n" : "\n]\n";
}

function outputTo(path: string): Writable {
  makeDirectory(dirname(path));
  return createWriteStream(path);
}

function formatOf({ format, json, out }: HistoryFlags): string {
  const typed = format ?? (json || out?.endsWith(".json") === true ? "json" : "csv");
  requireKnown("format", typed, formats);
  return typed;
}

/** Writes to a file, or to standard output. Rejects with a CliError. */
export async function exportHistory(history: HistoryFile, flags: HistoryFlags): Promise<void> {
  const { out } = flags;
  const format = formatOf(flags);
  if (out === undefined) {
    await pipeline(Readable.from(parts(history, flags, format)), process.stdout, { end: false });
    return;
  }
  try {
    await pipeline(Readable.from(parts(history, flags, format)), outputTo(out));
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError("unavailable", `cannot write ${out}: ${fileFault(cause)}`, { cause });
  }
  process.stdout.write(flags.json ? `${JSON.stringify({ written: [out] })}\n` : `${out}\n`);
}
