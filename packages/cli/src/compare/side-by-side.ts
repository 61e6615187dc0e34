// Prepares two versions, measures them in the same rounds, and returns the comparison with its verdict.
import { type ComparedMetric, compareVersions, type PairedComparison, type Warning } from "@roundtrip/analysis";
import { allStacks, type Stack } from "@roundtrip/stacks";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import { selectedStackNames, type StackFlags } from "../stacks/selected-stacks.ts";
import { checkGateSettings, dependenceWarnings, gateDefaults, type GateSettings } from "@roundtrip/analysis/gate";
import { type MeasureOptions, type Study, type Task, usualAnswerLimitMs, type Version } from "@roundtrip/runner";
import { ProgressLine, progressText } from "../bench/progress.ts";
import { budgetOf, chosenStudies } from "../bench/chosen-studies.ts";
import { newRunDirectory, requireFreeDirectory } from "../bench/new-run-directory.ts";
import { isOwnStudy, type OwnFlags, realSource, taskText } from "../bench/own-study.ts";
import type { ContractFlags } from "../contract/contract-source.ts";
import { accessOf } from "../targets/known-targets.ts";
import { accessAmong } from "../targets/served-command.ts";
import { serviceDefaults } from "../stacks/known-settings.ts";
import { lookText, planText, recheckText, stackTitles } from "./compare-words.ts";
import { type MeasuredVersions, measureVersions } from "./measure-versions.ts";
import type { OwnComparison } from "./own-comparison.ts";
import { VersionFolders } from "./version-folders.ts";
import { sources } from "./sources.ts";
import { requireSourceFlags, type SourceFlags, type Sources, type TypedVersions } from "./versions.ts";
import { typedCommand } from "../output/output-file.ts";

/** The stacks to compare. Rejects with a usage error for an unknown one, and for one that no command serves. */
async function comparedStacks(typed: StackFlags, of: Sources): Promise<readonly Stack[]> {
  const { running, usualStacks, versions } = of;
  if (running !== undefined && typed.stack !== undefined) {
    throw new CliError("usage", "the targets say which stacks are compared: leave out --stack");
  }
  const stack = typed.stack ?? usualStacks;
  const all = await chosenStacks(stack === undefined ? {} : { stack });
  // The floor is the same in every version.
  const stacks = stack === undefined ? all.filter(({ role }) => role === "style") : all;
  // Reports a stack without a command before anything starts.
  for (const { name } of stacks) for (const version of versions) version.server(name);
  return stacks;
}

export interface SideBySideFlags extends SourceFlags, StackFlags, OwnFlags, ContractFlags {
  readonly study?: readonly string[];
  readonly answersMayDiffer?: readonly string[];
  readonly metric: readonly ComparedMetric[];
  readonly tolerate: number;
  readonly detect: number;
  readonly alpha: number;
  readonly budget?: number;
  readonly rounds?: number;
  readonly warmUp?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

const defaultStudies: readonly string[] = ["gate"];

/** Warm-up per server before the measurement: every round starts all servers anew. */
const warmUpMsPerServer = 40;

const asUsual = {
  settings: {},
  targets: [],
  targetsAreDisposable: false,
  answerLimitMs: usualAnswerLimitMs,
  serviceDefaults,
  link: "auto",
  links: {},
  tls: false,
} as const;

type SettingsOfGate = Omit<GateSettings, "looks">;

/** With `--rounds` alone, no time ends the rounds. */
const noLimitMs = 24 * 3_600_000;

function settingsOf({ tolerate, detect, alpha }: SideBySideFlags, seed: number): SettingsOfGate {
  if (detect <= tolerate) {
    throw new CliError("usage", `--detect must be above --tolerate (${tolerate}), got ${detect}`);
  }
  const settings = { ...gateDefaults, tolerate, detect, alpha, seed };
  checkGateSettings(settings);
  return settings;
}

/** The metrics to judge. Throws a usage error if none is known of servers that run already. */
function knownMetrics({ metric }: SideBySideFlags, { running }: Sources): readonly ComparedMetric[] {
  if (running === undefined) return metric;
  const known = metric.filter((name) => name === "latencyMs");
  if (known.length > 0) return known;
  throw new CliError("usage", "the CPU time of servers that run already is unknown: compare them by latencyMs");
}

export interface Compared {
  readonly comparison: PairedComparison;
  readonly directory: string;
  readonly isInterrupted: boolean;
}

/** What is measured of which servers. */
type Subject = Omit<OwnComparison, "study" | "freshCopies" | "knownTasks"> & {
  readonly studies: readonly Study[];
  readonly freshCopies: () => Promise<readonly Version[]>;
};

/** Whether the flags define a study instead of named ones. Throws a usage error for flags that contradict each other. */
function hasOwnStudy(flags: SideBySideFlags): boolean {
  if (flags.study !== undefined && flags.contract !== undefined) {
    throw new CliError("usage", "--study names studies of this project's contract: remove it, or --contract");
  }
  return isOwnStudy(flags.study ?? [], flags);
}

function taskNames(studies: readonly Study[]): readonly string[] {
  return [...new Set(studies.flatMap(({ tasks }) => tasks.map(({ name }) => name)))];
}

/**
 * The studies, with the tasks that base and head may answer differently marked. Throws a usage error for an unknown task.
 * @param knownTasks may be named too: a task that is left out, because head alone has it, needs no other settings.
 */
function withDiffering(
  studies: readonly Study[],
  { answersMayDiffer = [] }: SideBySideFlags,
  knownTasks: readonly string[],
): readonly Study[] {
  const unknown = answersMayDiffer.filter((name) => !knownTasks.includes(name));
  for (const name of unknown) requireKnown("task", name, taskNames(studies));
  const marked = (task: Task): Task =>
    answersMayDiffer.includes(task.name) ? { ...task, answersMayDiffer: true } : task;
  return studies.map((study) => ({ ...study, tasks: study.tasks.map(marked) }));
}

/** @param notes what was left out, and why */
function warningsOf(
  studies: readonly Study[],
  notes: readonly string[],
  { answersMayDiffer = [] }: SideBySideFlags,
): readonly Warning[] {
  const leftOut = notes.map((message) => ({ code: "left-out", message }));
  const differing = taskNames(studies).filter((name) => answersMayDiffer.includes(name));
  const notCompared = differing.map((task) => ({
    code: "answers-not-compared",
    message: `${task}: the answers of base and head were not compared, as --answers-may-differ asks, so that they may not do the same work`,
  }));
  return [...leftOut, ...notCompared];
}

interface SubjectParts {
  /** The named studies; empty if the flags define one. */
  readonly named: readonly Study[];
  readonly of: Sources;
  readonly stacks: readonly Stack[];
  readonly signal: AbortSignal;
}

async function subjectOf(
  { named, of, stacks, signal }: SubjectParts,
  flags: SideBySideFlags,
  closing: AsyncDisposableStack,
): Promise<Subject> {
  const fresh = { freshCopies: () => of.freshCopies(signal) };
  if (named.length > 0) {
    const { versions } = of;
    const studies = withDiffering(named, flags, []);
    return { studies, contract: { kind: "built-in" }, service: realSource, versions, notes: [], ...fresh };
  }
  const { ownComparison } = await import("./own-comparison.ts");
  const { study, freshCopies, knownTasks, ...own } = await ownComparison(of, flags, stacks, closing);
  signal.throwIfAborted();
  return { ...own, studies: withDiffering([study], flags, knownTasks), freshCopies: freshCopies ?? fresh.freshCopies };
}

function comparisonOf(
  { facts, judgement, confirmation, gate, isOutOfTime, doubts }: MeasuredVersions,
  {
    base,
    head,
    settings,
    warnings,
  }: Pick<Sources, "base" | "head" | "warnings"> & { readonly settings: SettingsOfGate },
): PairedComparison {
  const dependence = dependenceWarnings(gate.rounds, settings.seed);
  // Dependent rounds count for less than they seem, so they must not lead to PASS.
  const all = [...doubts, ...(dependence.length > 0 ? ["rounds resemble the ones before them"] : [])];
  const found = { facts, calls: gate.calls, judgement, confirmation, isOutOfTime, doubts: all };
  return compareVersions({ base, head, settings, ...found, warnings: [...warnings, ...dependence] });
}

interface Watching {
  readonly signal: AbortSignal;
  /** Called when preparing ends: what is measured from then on is kept. */
  readonly onMeasuring: () => void;
}

/** Rejects with an error for flags that are wrong whatever the versions are: building these may take minutes. */
async function requireUsable(flags: SideBySideFlags): Promise<void> {
  const { out, tasks } = flags;
  selectedStackNames(flags, allStacks());
  await accessOf(accessAmong(flags.serve));
  await requireFreeDirectory(out);
  if (tasks === undefined) return;
  const { taskDocument } = await import("@roundtrip/bench/own-contract");
  taskDocument(taskText(tasks), tasks);
}

/** Studies of this project's own; none if the comparison is of the user's contract. */
async function namedStudies(flags: SideBySideFlags): Promise<readonly Study[]> {
  const wishes = { calls: undefined, p99Ms: undefined };
  return hasOwnStudy(flags) ? [] : chosenStudies(flags.study ?? defaultStudies, wishes);
}

interface Reports {
  readonly progress: ProgressLine;
  /** Prints lines that stay, unless the command is quiet. */
  readonly report: (text: string) => void;
}

function reportsOf({ quiet, json }: SideBySideFlags): Reports {
  const progress = new ProgressLine(process.stderr, !quiet && !json);
  const report = (text: string): void => {
    progress.clear();
    if (!quiet) process.stderr.write(text);
  };
  return { progress, report };
}

type Subjects = Pick<MeasureOptions, "contract" | "service" | "studies" | "stacks" | "directory" | "seed">;

function measureOptions(
  subjects: Subjects,
  versions: number,
  { budget, rounds, warmUp }: SideBySideFlags,
): Omit<MeasureOptions, "sideBySide" | "rounds"> {
  return {
    ...asUsual,
    ...subjects,
    budgetMs: budget ?? (rounds === undefined ? budgetOf(subjects.studies) : noLimitMs),
    typed: new Set(budget === undefined ? [] : ["budget"]),
    // All servers warm up at once and share the time.
    warmUpMs: warmUp ?? warmUpMsPerServer * versions * subjects.stacks.length,
    command: typedCommand(process.argv),
  };
}

/** Compares two versions; undefined if interrupted in round 1. Rejects with an error that states what to do. Always removes what it created. */
export async function compareSideBySide(
  versions: TypedVersions,
  flags: SideBySideFlags,
  { signal, onMeasuring }: Watching,
): Promise<Compared | undefined> {
  const seed = flags.seed ?? Math.floor(Math.random() * 2 ** 31);
  const settings = settingsOf(flags, seed);
  const named = await namedStudies(flags);
  await requireUsable(flags);
  requireSourceFlags(versions, flags);
  const { progress, report } = reportsOf(flags);
  using versionFolders = new VersionFolders();
  const of = await sources(versions, flags, { versionFolders, signal, report: (what) => report(`${what} …\n`) });
  const stacks = await comparedStacks(flags, of);
  // Building may take minutes.
  if (flags.tasks !== undefined) await (await import("./own-comparison.ts")).requireTasks(of, flags);
  await of.build();
  await using closing = new AsyncDisposableStack();
  const { studies, notes, contract, service, ...subject } = await subjectOf(
    { named, of, stacks, signal },
    flags,
    closing,
  );
  const directory = flags.out ?? newRunDirectory("runs", new Date());
  const titleOf = stackTitles(stacks, subject.versions);
  const plan = { studies, directory, rounds: flags.rounds, budgetMs: flags.budget ?? budgetOf(studies) };
  report(
    [
      ...notes.map((note) => `${note}\n`),
      planText(
        of,
        stacks.map(({ name }) => titleOf(name)),
        plan,
      ),
    ].join(""),
  );
  onMeasuring();
  try {
    const measured = await measureVersions({
      options: measureOptions({ contract, service, studies, stacks, directory, seed }, subject.versions.length, flags),
      ...subject,
      settings,
      typedRounds: flags.rounds,
      metrics: knownMetrics(flags, of),
      signal,
      onProgress: (state) => progress.show(state.done, progressText(state)),
      onLook: (judgement) => report(lookText(judgement, titleOf)),
      onRecheck: (judgement, rounds) => report(recheckText(judgement, rounds, titleOf)),
    });
    if (measured === undefined) return undefined;
    const what = { ...of, settings, warnings: [...of.warnings, ...warningsOf(studies, notes, flags)] };
    return { comparison: comparisonOf(measured, what), directory, isInterrupted: signal.aborted };
  } finally {
    progress.clear();
  }
}
