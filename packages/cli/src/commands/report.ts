// `roundtrip report`: renders a run directory, or a CSV of foreign samples, in any format.
import { againstFirst, analyseDefaults, fromLongForm, type RunFacts, type Samples } from "@roundtrip/analysis";
import { formatNames, loadFormat, parseSamplesCsv } from "@roundtrip/report";
import { readRun } from "@roundtrip/runner";
import { Argument, Command, Option } from "commander";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { CliError } from "../cli-error.ts";
import { requireKnown } from "../nearest-name.ts";
import { seedOption } from "../options.ts";
import { reportInput, runDocuments, writeDocuments } from "../write-report.ts";

interface ReportFlags {
  readonly format: string;
  readonly out?: string;
  readonly seed?: number;
  readonly json: boolean;
}

const largestCsvBytes = 512 * 1024 * 1024;

async function readForeign(path: string): Promise<{ readonly facts: RunFacts; readonly samples: Samples }> {
  const { size } = await stat(path);
  if (size > largestCsvBytes) throw new CliError("usage", `${path} is larger than ${largestCsvBytes / 2 ** 20} MiB.`);
  try {
    return fromLongForm(parseSamplesCsv(await readFile(path, "utf8")));
  } catch (cause) {
    if (cause instanceof Error) cause.message = `${path}: ${cause.message}`;
    throw cause;
  }
}

async function report(path: string, flags: ReportFlags): Promise<void> {
  const format = flags.json ? "json" : flags.format;
  requireKnown("format", format, formatNames());
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CliError("usage", `There is no run and no CSV at ${path}.`);
  const foreign = found.isFile() && extname(path) !== ".json";
  const { facts, samples } = foreign ? await readForeign(path) : await readRun(path);
  const directory = found.isFile() ? dirname(path) : path;
  const files = foreign
    ? []
    : runDocuments.map((file) => ({ ...file, path: join(relative(".", directory), file.path) }));
  const input = reportInput(
    facts,
    samples,
    { seed: flags.seed ?? facts.seed, pairs: foreign ? againstFirst : analyseDefaults.pairs },
    files,
  );
  if (flags.out === undefined) {
    process.stdout.write(await (await loadFormat(format)).render(input));
    return;
  }
  if (extname(flags.out) === "") {
    await mkdir(flags.out, { recursive: true });
    await writeDocuments(flags.out, input);
  } else {
    await writeFile(flags.out, await (await loadFormat(format)).render(input)).catch((cause: NodeJS.ErrnoException) => {
      throw new CliError("unavailable", `cannot write ${flags.out}: ${cause.message}`, { cause });
    });
  }
  process.stdout.write(`${flags.out}\n`);
}

/** Makes the command. */
export function makeCommand(): Command {
  return new Command("report")
    .description("render a run directory, or a CSV of samples from elsewhere")
    .addArgument(
      new Argument(
        "<run>",
        "a run directory, its run.json, or a CSV: `arm,round,latencyMs`, or one row per arm (name, then nanoseconds)",
      ),
    )
    .addOption(new Option("--format <name>", `one of ${formatNames().join(", ")}`).default("terminal"))
    .addOption(
      new Option(
        "--out <path>",
        "write to this file; a path without extension becomes a directory with HTML, Markdown and plots",
      ),
    )
    .addOption(seedOption())
    .addOption(new Option("--json", "the same as --format json").default(false))
    .addHelpText(
      "after",
      "\nExample:\n  $ roundtrip report runs/2026-01-31T12-00-00 --format html --out report.html\n  $ roundtrip report samples.csv",
    )
    .action(report);
}
