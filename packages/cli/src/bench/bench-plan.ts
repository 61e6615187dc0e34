// Converts the flags of `bench` to a plan, and validates them before anything starts.
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { defaultStudies } from "@roundtrip/bench";
import {
  configurationsOf,
  linksWith,
  serviceSettingsOf,
  usualAnswerLimitMs,
  type MeasureOptions,
  type ServerCommand,
  type SettingLevels,
  type Study,
  type Target,
} from "@roundtrip/runner";
import { defaultStackNames, inProcessStack, libraryStacks, loadStack, type Stack } from "@roundtrip/stacks";
import type { Command } from "commander";
import { CliError } from "../basics/cli-error.ts";
import type { ContractFlags, LoadedContract } from "../contract/contract-source.ts";
import { type TypedLink, usualLink } from "../options/link-option.ts";
import { knownSettings, serviceDefaults } from "../stacks/known-settings.ts";
import type { TypedSetting } from "../options/key-values.ts";
import { accessOf, knownTargets } from "../targets/known-targets.ts";
import { serveCommands, type ServeCommands, served, servesFake } from "../targets/served-command.ts";
import { probeTarget } from "../targets/probe-target.ts";
import type { TypedTargets } from "../targets/typed-target.ts";
import {
  budgetOf,
  chosenStudies,
  requireOperations,
  type StudyWishes,
  usualBudget,
  withWishes,
  withFullPapers,
} from "./chosen-studies.ts";
import { budgetShares, type EngineFlags, k6EngineOf, requireEngine } from "./engine.ts";
import { chosenLoads, levelsOf, loadsOf, mostLoadedOperations, type OwnLoad } from "./own-loads.ts";
import type { TypedLoad } from "./study-options.ts";
import { isOwnStudy, ownStudy, realSource, type OwnFlags, type OwnStudy } from "./own-study.ts";
import { type TypedArrivals, withArrivals } from "./arrivals.ts";

function requireOneServerEach(here: readonly Stack[], targets: readonly Target[]): void {
  const names = [...here.map(({ name }) => name), ...targets.map(({ stack }) => stack)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new CliError("usage", `two servers for ${twice}: a run measures one server per stack`);
}

async function withOwnStacks(study: Study): Promise<Study> {
  const { stacks = defaultStackNames() } = study;
  return { ...study, measuredOn: stacks === "libraries" ? (await libraryStacks()).map(({ name }) => name) : stacks };
}

/** The stacks to serve, and those of targets. The floor and calls in process are for this program's servers: they bound no other network. */
async function measuredStacks(
  { engine, ...flags }: StackFlags & EngineFlags,
  studies: readonly Study[],
  targets: readonly Target[],
  commands: ServeCommands | undefined,
): Promise<readonly Stack[]> {
  const byStudy = studies.flatMap(({ measuredOn = [] }) => measuredOn);
  const usual = commands?.stacks ?? (studies.length === 0 ? undefined : [...new Set(byStudy)]);
  const here = flags.stack === undefined && targets.length > 0 ? [] : await chosenStacks(flags, usual);
  requireOneServerEach(here, targets);
  const elsewhere = await Promise.all(targets.map(({ stack }) => loadStack(stack)));
  const stacks = [...here, ...elsewhere];
  if (here.length === 0 || commands !== undefined) return stacks;
  const hasFloor = stacks.some(({ role }) => role === "floor");
  const isInProcess = engine.name !== "k6" && studies.some((study) => study.inProcess === true);
  return [...stacks, ...(hasFloor ? [] : [await loadStack("floor")]), ...(isInProcess ? [await inProcessStack()] : [])];
}

/** The commands of `--serve` by stack; none if the fake is measured. Rejects with a usage error for flags that exclude each other. */
async function commandsOf(
  flags: BenchFlags,
  stacks: readonly Stack[],
  words: ServeCommands | undefined,
): Promise<Asked["commands"]> {
  if (words === undefined) return new Map();
  if (flags.target !== undefined)
    throw new CliError("usage", "give --serve, which starts servers, or --target, where they run already");
  if (flags.engine.name === "k6")
    throw new CliError(
      "usage",
      "--engine k6 starts no servers of yours: start them, and give --target or --serve fake",
    );
  if (flags.tls) throw new CliError("usage", "--tls is for servers of this program: leave it out, or --serve");
  const access = await accessOf(words.access);
  const cwd = process.cwd();
  const names = stacks.flatMap(({ name, role }) => (role === "style" ? [name] : []));
  return new Map(names.map((name) => [name, served({ words: words.wordsFor(name), cwd, access }, name)]));
}

/** The flags allowed with `--import`; its plan has the studies, stacks and calls. */
const takenByImport = ["engine", "import", "out", "json", "quiet"];

function requireImportFlags(command: Command): void {
  const idle = command.options.find((option) => {
    const name = option.attributeName();
    return !takenByImport.includes(name) && command.getOptionValueSource(name) === "cli";
  });
  if (idle === undefined) return;
  throw new CliError("usage", `${idle.long} has no effect with --import; remove it`);
}

export interface BenchFlags extends ContractFlags, OwnFlags, EngineFlags, StackFlags {
  readonly link?: TypedLink;
  readonly set?: readonly TypedSetting[];
  readonly target?: TypedTargets;
  readonly serve?: readonly string[];
  readonly build?: string;
  readonly out?: string;
  readonly seed?: number;
  readonly rounds?: number;
  readonly calls?: number;
  readonly arrivals?: TypedArrivals;
  readonly load?: TypedLoad;
  readonly budget?: number;
  readonly warmUp?: number;
  readonly tls: boolean;
  readonly full: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Warm-up for code to be compiled that fits into six rounds a minute, in milliseconds. */
const usualWarmUpMs = 450;

/** Compilers go on for some 10 s of calls: beyond that, a longer warm-up only takes time from the measurement. */
const mostTimesWarmUp = 6;

/** A longer run also warms up longer. @param timesUsual the budget, as a multiple of the usual one of its studies */
function warmUpMsOf(timesUsual: number): number {
  return usualWarmUpMs * Math.min(mostTimesWarmUp, Math.max(1, timesUsual));
}

interface Asked {
  /** The named studies; empty if the flags define a study. */
  readonly named: readonly Study[];
  readonly isOwn: boolean;
  /** The named studies that measure the tasks of the flags. */
  readonly loads: readonly OwnLoad[];
  readonly wishes: StudyWishes;
  readonly stacks: readonly Stack[];
  readonly targets: readonly Target[];
  /** Programs that serve stacks in place of this project's servers, by stack. */
  readonly commands: ReadonlyMap<string, ServerCommand>;
  readonly settings: SettingLevels;
  readonly link: TypedLink;
}

/** A complete plan, without its directory. */
interface BenchPlan {
  readonly plan: Omit<MeasureOptions, "directory" | "command">;
  /** Notes to print before the run; may be empty. */
  readonly notes: string;
}

/** The studies of the flags' own tasks: as they are, or under the chosen loads. */
function ownStudies({ study }: OwnStudy, { loads }: Asked, { tasks, load }: BenchFlags): readonly Study[] {
  return loads.length === 0 ? [study] : loadsOf(study, loads, levelsOf(load), tasks !== undefined);
}

/** Rejects with a usage error for invalid flags, and like {@link configurationsOf}. */
export async function askedFor(names: readonly string[], flags: BenchFlags, typed: Command): Promise<Asked> {
  const isLoadTyped = typed.getOptionValueSource("load") === "cli";
  const loads = await chosenLoads(names, flags, levelsOf(flags.load), isLoadTyped);
  const wishes = { calls: flags.calls, p99Ms: flags.load?.p99, isLimitTyped: isLoadTyped };
  const isOwn = isOwnStudy(loads.length > 0 ? [] : names, flags);
  const wanted = flags.full ? withFullPapers(names) : names.length === 0 ? defaultStudies : names;
  const chosen = isOwn ? [] : await chosenStudies(wanted, wishes);
  const targets = await knownTargets(flags.target);
  requireEngine(flags, names, targets);
  if (flags.import !== undefined) requireImportFlags(typed);
  const isServed = flags.serve !== undefined && !servesFake(flags.serve) && flags.import === undefined;
  const words = isServed ? serveCommands(flags.serve) : undefined;
  if (targets.length === 0 && words === undefined && typed.getOptionValueSource("disposable") === "cli") {
    throw new CliError("usage", "--disposable is for --target and --serve: give one, or leave --disposable out");
  }
  // Stacks that the user names are those of all studies.
  const isForAll = flags.stack !== undefined || targets.length > 0 || words !== undefined;
  const named = isForAll ? chosen : await Promise.all(chosen.map(withOwnStacks));
  const stacks = await measuredStacks(flags, named, targets, words);
  const commands = await commandsOf(flags, stacks, words);
  const settings = knownSettings(flags.set, stacks, "measured");
  const link = flags.link ?? usualLink;
  // Reports too many levels, and server settings of a target or command, before anything starts.
  const around = { links: linksWith([], link.levels), services: serviceSettingsOf(settings) };
  for (const stack of stacks) {
    const isForeign = commands.has(stack.name) || targets.some((target) => target.stack === stack.name);
    configurationsOf(stack, settings[stack.name] ?? {}, isForeign, around);
  }
  return { named, isOwn, loads, wishes, stacks, targets, commands, settings, link };
}

function usualRounds(studies: readonly Study[]): number {
  return Math.max(...studies.map(({ rounds }) => rounds));
}

/** More rounds than usual take as long each as the usual ones. */
function budgetMsOf(flags: BenchFlags, studies: readonly Study[], sinceStartMs: number): number {
  const usualMs = budgetShares[flags.engine.name] * budgetOf(studies, usualBudget(sinceStartMs));
  const budgetMs = flags.budget ?? usualMs * Math.max(1, (flags.rounds ?? 1) / usualRounds(studies));
  if (flags.warmUp !== undefined && flags.budget !== undefined && flags.warmUp >= flags.budget) {
    throw new CliError("usage", "--warm-up is as long as the whole --budget; give it a larger one");
  }
  return budgetMs;
}

/** The plan for a contract. Rejects for operations that it lacks, and targets with another. @param sinceStartMs worked so far, without builds */
export async function planOf(
  asked: Asked,
  flags: BenchFlags,
  loaded: LoadedContract,
  sinceStartMs: number,
): Promise<BenchPlan> {
  const { named, isOwn, loads, wishes, stacks, targets, commands, settings, link } = asked;
  requireOperations(named, loaded.contract, flags.contract?.[0]);
  if (!isOwn) await Promise.all(targets.map((target) => probeTarget(loaded.contract, target)));
  const ownFlags = loads.length === 0 ? flags : { ...flags, mostOperations: mostLoadedOperations };
  const own = isOwn ? await ownStudy(loaded.contract, ownFlags, { stacks, targets, commands }) : undefined;
  const chosen = own === undefined ? named : withWishes(ownStudies(own, asked, flags), wishes);
  const studies = flags.arrivals === undefined ? chosen : withArrivals(chosen, flags.arrivals, flags.calls);
  const budgetMs = budgetMsOf(flags, studies, sinceStartMs);
  const engine = await k6EngineOf(flags, loaded.source, targets);
  const typed = (["budget", "rounds", "calls"] as const).filter((name) => flags[name] !== undefined);
  const plan = {
    studies,
    stacks,
    settings,
    targets,
    commands,
    targetsAreDisposable: flags.disposable,
    answerLimitMs: usualAnswerLimitMs,
    contract: loaded.source,
    service: own?.service ?? realSource,
    serviceDefaults,
    seed: flags.seed ?? Math.floor(Math.random() * 2 ** 31),
    rounds: flags.rounds ?? usualRounds(studies),
    budgetMs,
    typed: new Set(typed),
    link: link.kind,
    links: link.levels,
    warmUpMs: flags.warmUp ?? warmUpMsOf(budgetMs / budgetOf(studies)),
    tls: flags.tls,
    ...(engine === undefined ? {} : { engine }),
  };
  return { plan, notes: own?.notes ?? "" };
}
