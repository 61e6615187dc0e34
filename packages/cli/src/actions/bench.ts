// What `roundtrip bench` does: measures, keeps what was measured whatever ends it, and reports.
import { gatherParts } from "@roundtrip/analysis";
import { K6Error } from "@roundtrip/k6/error";
import { loadFormat } from "@roundtrip/report";
import {
  configurationsOf,
  linksWith,
  hasRoomForRun,
  measureRun,
  readRunInParts,
  RunnerError,
  serviceSettingsOf,
  writeRunFile,
  type MeasureOptions,
  type RunnerErrorCode,
} from "@roundtrip/runner";
import type { Command } from "commander";
import { join, relative } from "node:path";
import { askedLinks } from "../bench/asked-links.ts";
import type { TypedArrivals } from "../bench/typed-arrivals.ts";
import { withArrivals } from "../bench/with-arrivals.ts";
import { planText, progressText } from "../bench/bench-words.ts";
import { budgetOf, chosenStudies, requireOperations, usualBudget, withWishes } from "../bench/chosen-studies.ts";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { exitStatus } from "../basics/exit-status.ts";
import { interruptible } from "../basics/interruption.ts";
import { serviceDefaults } from "../stack-settings/settable.ts";
import { knownSettings } from "../stack-settings/known-settings.ts";
import { knownTargets } from "../targets/known-targets.ts";
import { measuredStacks } from "../bench/measured-stacks.ts";
import type { NetworkFlags } from "../options/link-option.ts";
import { keepingIn } from "../history/keep-run.ts";
import type { EngineFlags } from "../bench/engine-options.ts";
import { requireImportFlags } from "../bench/import-flags.ts";
import { importResults } from "../bench/import-results.ts";
import { budgetShares, k6EngineOf, requireEngine } from "../bench/k6-engine-of.ts";
import { defaultStudies } from "../bench/default-studies.ts";
import { isOwnStudy, ownStudy, realSource, type OwnFlags } from "../bench/own-study.ts";
import { newRunDirectory } from "../bench/new-run-directory.ts";
import { probeTarget } from "../targets/probe-target.ts";
import { ProgressLine } from "../bench/progress-line.ts";
import type { TypedTarget } from "../targets/typed-target.ts";
import type { TypedSetting } from "../stack-settings/typed-settings.ts";
import { reportInput, runDocuments, writeDocuments } from "../output/write-report.ts";

interface BenchFlags extends NetworkFlags, ContractFlags, OwnFlags, EngineFlags {
  readonly stack?: readonly string[];
  readonly set?: readonly TypedSetting[];
  readonly target?: readonly TypedTarget[];
  readonly ca?: string;
  readonly tokenEnv?: string;
  readonly out?: string;
  readonly history?: string;
  readonly seed?: number;
  readonly rounds?: number;
  readonly calls?: number;
  readonly arrivals?: TypedArrivals;
  readonly p99?: number;
  readonly budget?: number;
  readonly warmUp?: number;
  readonly tls: boolean;
  readonly full: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Where there was no time for everything, further rounds are run in what remains: beyond twice as many they hardly narrow an interval. */
const mostTimesRounds = 2;

/** What six rounds in a minute leave for getting code compiled. */
const usualWarmUpMs = 450;

/** Longer than any call takes that is worth measuring. */
const answerLimitMs = 30_000;

/** Failures in the middle: what was measured before is worth a report. */
const losses: readonly RunnerErrorCode[] = ["process-died", "no-answer", "link-lost"];

/** Whether something failed in the middle of measuring. */
function isLoss(thrown: unknown): thrown is RunnerError | K6Error {
  if (thrown instanceof K6Error) return thrown.code === "instance-failed";
  return thrown instanceof RunnerError && losses.includes(thrown.code);
}

/** Measures until done or interrupted. Gives back the failure after which something is left to report; rejects with any other. */
async function measure(options: MeasureOptions, showProgress: boolean): Promise<RunnerError | K6Error | undefined> {
  const progress = new ProgressLine(process.stderr, showProgress);
  const onFirst = (): void => {
    progress.clear();
    process.stderr.write("Stopping; what was measured is kept. Ctrl-C again stops at once.\n");
  };
  try {
    await interruptible(onFirst, (signal) =>
      measureRun(options, signal, (state) => progress.show(state.done, progressText(state))),
    );
    return undefined;
  } catch (thrown) {
    if (isLoss(thrown)) return thrown;
    throw thrown;
  } finally {
    progress.clear();
  }
}

/** Reports what a run directory holds, finished or not: into the directory, and on standard output. */
async function report(directory: string, format: string): Promise<void> {
  const { facts, parts } = readRunInParts(directory);
  const calls = await gatherParts(facts, parts);
  if (facts.status === "interrupted") process.exitCode = exitStatus.interrupted;
  if (calls.length === 0) {
    process.stderr.write("Nothing had been measured yet.\n");
    return;
  }
  const files = runDocuments.map(({ path, holds }) => ({ path: join(relative(".", directory), path), holds }));
  const input = reportInput(facts, calls, { seed: facts.seed }, files);
  const { summaries, warnings } = input.analysis;
  writeRunFile(join(directory, "run.json"), { ...facts, warnings }, summaries);
  await writeDocuments(directory, input);
  process.stdout.write(await (await loadFormat(format)).render(input));
}

/** What is printed: one screen, unless everything is asked for. */
function formatOf({ json, full }: Pick<BenchFlags, "json" | "full">): string {
  if (json) return "json";
  return full ? "terminal" : "summary";
}

async function requireRoom(directory: string): Promise<void> {
  if (await hasRoomForRun(directory)) return;
  throw new CliError("usage", `${directory} holds a run already; choose another --out, or remove it`);
}

/** Runs the command. Rejects with an error that says what a user can do. */
export async function bench(names: readonly string[], flags: BenchFlags, typed: Command): Promise<void> {
  const isOwn = isOwnStudy(names, flags);
  const wishes = { calls: flags.calls, p99Ms: flags.p99 };
  const named = isOwn ? [] : await chosenStudies(names.length === 0 ? defaultStudies : names, wishes);
  const targets = await knownTargets(flags.target, flags.ca, flags.tokenEnv);
  requireEngine(flags, names, targets);
  if (flags.import !== undefined) requireImportFlags(typed);
  const stacks = await measuredStacks(flags.stack, targets);
  const settings = knownSettings(flags.set, stacks, "measured");
  const links = askedLinks(flags);
  // Too many levels, and a server that cannot be told, are known before anything starts.
  for (const stack of stacks) {
    const isTarget = targets.some((target) => target.stack === stack.name);
    const ofStack = settings[stack.name] ?? {};
    configurationsOf(stack, ofStack, isTarget, { links: linksWith([], links), services: serviceSettingsOf(settings) });
  }
  if (flags.out !== undefined) await requireRoom(flags.out);
  const keeping = flags.history === undefined ? undefined : await keepingIn(flags.history);
  // Whatever is refused leaves none behind.
  const makeDirectory = (): string => flags.out ?? newRunDirectory("runs", new Date());
  const command = `roundtrip ${process.argv.slice(2).join(" ")}`;
  if (flags.import !== undefined) {
    const directory = await importResults(flags, makeDirectory, command);
    await report(directory, formatOf(flags));
    await keeping?.(directory);
    return;
  }
  await using loaded = await loadContractFrom(flags.contract, flags);
  requireOperations(named, loaded.contract, flags.contract);
  if (!isOwn) await Promise.all(targets.map((target) => probeTarget(loaded.contract, target)));
  const own = isOwn ? await ownStudy(loaded.contract, flags, stacks, targets) : undefined;
  const chosen = own === undefined ? named : withWishes([own.study], wishes);
  const studies = flags.arrivals === undefined ? chosen : withArrivals(chosen, flags.arrivals, flags.calls);
  const budgetMs = flags.budget ?? budgetShares[flags.engine] * budgetOf(studies, usualBudget(performance.now()));
  if (flags.warmUp !== undefined && flags.budget !== undefined && flags.warmUp >= flags.budget) {
    throw new CliError("usage", "--warm-up is as long as the whole --budget; give it a larger one");
  }
  const engine = await k6EngineOf(flags, loaded.source);
  const directory = makeDirectory();
  const rounds = flags.rounds ?? Math.max(...studies.map((study) => study.rounds));
  const options: MeasureOptions = {
    studies,
    stacks,
    settings,
    targets,
    targetsAreDisposable: flags.disposable,
    answerLimitMs,
    contract: loaded.source,
    service: own?.service ?? realSource,
    serviceDefaults,
    directory,
    seed: flags.seed ?? Math.floor(Math.random() * 2 ** 31),
    rounds,
    ...(flags.rounds === undefined ? { mostRounds: mostTimesRounds * rounds } : {}),
    budgetMs,
    isBudgetFirm: flags.budget !== undefined,
    link: flags.link,
    links,
    warmUpMs: flags.warmUp ?? usualWarmUpMs,
    tls: flags.tls,
    command,
    ...(engine === undefined ? {} : { engine }),
  };
  if (!flags.quiet) process.stderr.write(`${own?.notes ?? ""}${planText(options)}`);
  const failure = await measure(options, !flags.quiet && !flags.json);
  const onSignal = (): void => {
    process.stderr.write(`Stopped; the run is kept, and "roundtrip report ${directory}" renders it.\n`);
    process.exit(exitStatus.interrupted);
  };
  await interruptible(onSignal, () => report(directory, formatOf(flags)));
  if (failure !== undefined) throw failure;
  await keeping?.(directory);
}
