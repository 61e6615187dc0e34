// The action of `roundtrip bench`: measures, keeps the results however the run ends, and reports them.
import { gatherParts } from "@roundtrip/analysis";
import { K6Error } from "@roundtrip/k6/error";
import { loadFormat } from "@roundtrip/report";
import { isLoss, measureRun, type MeasureOptions, type RunnerError } from "@roundtrip/runner";
import { readRunInParts } from "@roundtrip/runs/read";
import type { Command } from "commander";
import { statSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { askedFor, planOf, type BenchFlags } from "../bench/bench-plan.ts";
import { planText, ProgressLine, progressText } from "../bench/progress.ts";
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { loadContractFrom } from "../contract/contract-source.ts";
import { endWhole, interruptible, reportStop } from "../basics/interruption.ts";
import { newRunDirectory, removeUnused, removeWithoutCalls, requireFreeDirectory } from "../bench/new-run-directory.ts";
import { commandWords, runBuild } from "../targets/served-command.ts";
import { typedCommand } from "../output/output-file.ts";
import { reportInput, runDocuments, writeDocuments } from "../output/write-report.ts";
import type { EngineFlags } from "../bench/engine.ts";

/** Imports results of one export into `directory`, and returns the run directory. Rejects for several exports, unreadable results, or another plan. */
async function importResults(
  { import: paths = [] }: EngineFlags,
  directory: () => string,
  command: string,
): Promise<string> {
  const { importRun, readPlans } = await import("@roundtrip/k6");
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  const files = paths.filter((path) => !folders.includes(path));
  const planned = folders.length > 0 ? folders : [...new Set(files.map((file) => dirname(file)))];
  const [folder = ".", ...others] = planned;
  if (others.length > 0) {
    throw new CliError(
      "usage",
      `--import takes the results of one export, not of ${planned.join(", ")}: import them separately`,
    );
  }
  return importRun({ files, plans: await readPlans(folder), directory, command });
}

/** Whether an error occurred during the measurement, so that earlier results remain. */
function isLossOrFailedInstance(thrown: unknown): thrown is RunnerError | K6Error {
  return isLoss(thrown) || (thrown instanceof K6Error && thrown.code === "instance-failed");
}

/** Measures until done or interrupted. Returns an error after which there are results to report; rejects with any other. */
async function measure(options: MeasureOptions, showProgress: boolean): Promise<RunnerError | K6Error | undefined> {
  const progress = new ProgressLine(process.stderr, showProgress);
  const onFirst = (): void => {
    progress.clear();
    reportStop();
  };
  try {
    await interruptible(onFirst, (signal) =>
      measureRun(options, signal, (state) => progress.show(state.done, progressText(state))),
    );
    return undefined;
  } catch (thrown) {
    if (isLossOrFailedInstance(thrown)) return thrown;
    throw thrown;
  } finally {
    progress.clear();
  }
}

/** Resolves to whether there is anything to report. */
async function report(directory: string, format: string): Promise<boolean> {
  const { facts, parts } = readRunInParts(directory);
  const calls = await gatherParts(facts, parts);
  if (facts.status === "interrupted") process.exitCode = exitStatus.interrupted;
  if (calls.length === 0) {
    process.stderr.write("Nothing had been measured yet.\n");
    return false;
  }
  const files = runDocuments.map(({ path, holds }) => ({ path: join(relative(".", directory), path), holds }));
  const input = reportInput(facts, calls, { seed: facts.seed }, files);
  await writeDocuments(directory, input);
  process.stdout.write(await (await loadFormat(format)).render(input));
  return true;
}

/** Builds the servers, here and now. Resolves to the duration in milliseconds; rejects with a CliError for a build that fails. */
async function build(command: string, isQuiet: boolean): Promise<number> {
  const startedAt = performance.now();
  const argv = commandWords("--build", command);
  if (!isQuiet) process.stderr.write("building …\n");
  await runBuild({ argv, cwd: process.cwd(), label: "the server", signal: new AbortController().signal });
  return performance.now() - startedAt;
}

export async function bench(names: readonly string[], flags: BenchFlags, typed: Command): Promise<void> {
  const asked = await askedFor(names, flags, typed);
  await requireFreeDirectory(flags.out);
  // Called late, so that a refused command leaves no directory.
  const makeDirectory = (): string => flags.out ?? newRunDirectory("runs", new Date());
  const command = typedCommand(process.argv);
  const format = flags.json ? "json" : "summary";
  if (flags.import !== undefined) {
    const directory = await importResults(flags, makeDirectory, command);
    await report(directory, format);
    return;
  }
  await using loaded = await loadContractFrom(flags.contract);
  const isBuilt = asked.commands.size > 0 && flags.build !== undefined;
  const buildMs = isBuilt ? await build(flags.build, flags.quiet) : 0;
  const { plan, notes } = await planOf(asked, flags, loaded, performance.now() - buildMs);
  const directory = makeDirectory();
  const options: MeasureOptions = { ...plan, directory, command };
  if (!flags.quiet) process.stderr.write(`${notes}${planText(options)}`);
  const failure = await measure(options, !flags.quiet && !flags.json).catch((thrown: unknown) => {
    if (flags.out === undefined) removeUnused(directory);
    throw thrown;
  });
  const onSignal = (): void => {
    process.stderr.write(`Stopped; the run is kept, and "roundtrip report ${directory}" renders it.\n`);
    endWhole();
  };
  const hasCalls = await interruptible(onSignal, () => report(directory, format));
  if (failure !== undefined) throw failure;
  if (!hasCalls && flags.out === undefined) removeWithoutCalls(directory);
}
