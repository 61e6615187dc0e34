// The action of `roundtrip report`: reads a run or external samples, and renders them.
import {
  againstFirst,
  analyseDefaults,
  fromLongForm,
  gatherCalls,
  gatherParts,
  type GatheredCalls,
} from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import { formatNames, loadFormat, loadFormats } from "@roundtrip/report/registry";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import { requireNoInput, writeDocument } from "../output/output-file.ts";
import { inFileOf, reportInput, runDocuments, writeDocuments } from "../output/write-report.ts";

interface ReportFlags {
  readonly format?: string;
  readonly out?: string;
  readonly json: boolean;
}

interface Measured {
  readonly facts: RunFacts;
  readonly calls: GatheredCalls;
}

const runFiles = ["run.json", "samples.parquet"];

async function readForeign(path: string): Promise<Measured> {
  const text = readInput({ path, mostMiB: fileLimitsMiB.samplesCsv });
  const { parseSamplesCsv } = await import("@roundtrip/report/samples-csv");
  try {
    const { facts, samples } = fromLongForm(parseSamplesCsv(text));
    return { facts, calls: gatherCalls(facts, samples) };
  } catch (cause) {
    if (cause instanceof Error) cause.message = `${path}: ${cause.message}`;
    throw cause;
  }
}

async function readOwn(directory: string): Promise<Measured> {
  const { readRunInParts } = await import("@roundtrip/runs/read");
  const { facts, parts } = readRunInParts(directory);
  return { facts, calls: await gatherParts(facts, parts) };
}

/** The run directory of a path, which may be one of its files; undefined for external samples. */
async function runDirectoryOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CliError("usage", `there is no run and no CSV at ${path}`);
  if (found.isDirectory()) return path;
  return runFiles.includes(basename(path)) ? dirname(path) : undefined;
}

/** The output files with known names. Plots are omitted, because they cannot be inputs. */
function outputsOf(out: string | undefined, format: string | undefined): readonly string[] {
  if (out === undefined) return [];
  return format === undefined ? [join(out, "report.html"), join(out, "report.md")] : [out];
}

async function formatFor({ format, json, out }: ReportFlags): Promise<string | undefined> {
  if (json) return "json";
  if (format !== undefined) {
    requireKnown("format", format, formatNames());
    return format;
  }
  if (out === undefined) return "summary";
  const extension = extname(out).slice(1);
  if (extension === "") return undefined;
  const named = (await loadFormats()).find(({ fileExtension }) => fileExtension === extension);
  if (named === undefined) {
    throw new CliError(
      "usage",
      `no format is kept in .${extension} files; say which with --format (${formatNames().join(", ")})`,
    );
  }
  return named.name;
}

export async function report(path: string, flags: ReportFlags): Promise<void> {
  const format = await formatFor(flags);
  const directory = await runDirectoryOf(path);
  const inputs = directory === undefined ? [path] : runFiles.map((file) => join(directory, file));
  requireNoInput(outputsOf(flags.out, format), inputs);
  const { facts, calls } = directory === undefined ? await readForeign(path) : await readOwn(directory);
  if (calls.length === 0) throw new CliError("usage", `the run in ${path} holds no calls: nothing to report`);
  const files =
    directory === undefined
      ? []
      : runDocuments
          .map((file) => ({ ...file, path: join(relative(".", directory), file.path) }))
          .filter((file) => existsSync(file.path));
  const pairs = directory === undefined ? againstFirst : analyseDefaults.pairs;
  const input = reportInput(facts, calls, { seed: facts.seed, pairs }, files);
  const shown = flags.out === undefined ? input : inFileOf(dirname(flags.out), input);
  const document = format === undefined ? "" : await (await loadFormat(format)).render(shown);
  if (flags.out === undefined) {
    process.stdout.write(document);
    return;
  }
  if (format === undefined) await writeDocuments(flags.out, input);
  else await writeDocument(flags.out, document);
  process.stdout.write(flags.json ? `${JSON.stringify({ written: [flags.out] })}\n` : `${flags.out}\n`);
}
