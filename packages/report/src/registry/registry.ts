// Finds formats, plots and tables in their folders: adding a file adds one, without a change here.
import type { ReportTable } from "../view/run-view.ts";
import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import type { ComparisonFormat, Format } from "./format.ts";
import type { Plot } from "../marks/plot.ts";
import { ReportError } from "../basics/report-error.ts";

// Source runs as .ts, a published package as .js beside declarations (.d.ts).
const extension = extname(import.meta.filename);

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(import.meta.dirname, "..", folder))
    .filter((file) => file.endsWith(extension) && !file.endsWith(".d.ts"))
    .map((file) => file.slice(0, -extension.length))
    .toSorted();
}

async function load(folder: string, name: string): Promise<Record<string, unknown>> {
  return (await import(new URL(`../${folder}/${name}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

export function formatNames(): readonly string[] {
  return filesIn("formats");
}

/** One output format. Rejects with a ReportError `unknown-format` for an unknown name. */
export async function loadFormat(name: string): Promise<Format> {
  if (!formatNames().includes(name)) {
    throw new ReportError("unknown-format", `unknown format "${name}" (valid: ${formatNames().join(", ")})`);
  }
  return (await load("formats", name))["format"] as Format;
}

export async function loadFormats(): Promise<readonly Format[]> {
  return Promise.all(formatNames().map(loadFormat));
}

export function comparisonFormatNames(): readonly string[] {
  return filesIn("comparison-formats");
}

/** One output format of a comparison. Rejects with a ReportError `unknown-format` for an unknown name. */
export async function loadComparisonFormat(name: string): Promise<ComparisonFormat> {
  const names = comparisonFormatNames();
  if (!names.includes(name)) {
    throw new ReportError("unknown-format", `unknown format "${name}" (valid: ${names.join(", ")})`);
  }
  return (await load("comparison-formats", name))["format"] as ComparisonFormat;
}

async function loadAll<T extends Plot | ReportTable>(folder: string, part: string): Promise<readonly T[]> {
  const all = await Promise.all(filesIn(folder).map(async (name) => (await load(folder, name))[part] as T));
  return all.toSorted((a, b) => a.order - b.order || a.name.localeCompare(b.name));
}

/** Every plot, in report order. */
export async function loadPlots(): Promise<readonly Plot[]> {
  return loadAll("plots", "plot");
}

/** Every table, in report order within one position. */
export async function loadTables(): Promise<readonly ReportTable[]> {
  return loadAll("tables", "reportTable");
}
