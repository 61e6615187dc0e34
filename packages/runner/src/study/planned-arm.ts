// The arms of a run: every task of every study, in every variant, on every stack that supports it.
import type { Arm as ArmFacts, LeftOutArms } from "@roundtrip/runs";
import { settingFault } from "@roundtrip/contract";
import { inProcessName, type SettingValue, type Stack } from "@roundtrip/stacks";
import type { JsonObject } from "@bufbuild/protobuf";
import {
  type Configuration,
  configurationsOf,
  factorText,
  type LevelsOfStack,
  serviceSettingsOf,
  type SettingLevels,
  settingsText,
  surroundingFactors,
} from "./configuration.ts";
import {
  distanceFrom,
  type LinkLevels,
  type LinkSettings,
  linksWith,
  type TcpNeed,
  variedIn,
} from "./link-settings.ts";
import { factorsOfLoad, factsOfLoad, requireLoad, type Load } from "../pace/load.ts";
import { present } from "../basics/present.ts";
import { RunnerError } from "../basics/runner-error.ts";
import {
  isOneExchange,
  type Plan,
  type SaturationSearch,
  setsOfSteps,
  type Step,
  type Study,
  type Task,
} from "./study.ts";
import { type ServerCommand, shownUrl, type Target, type Version } from "./sources.ts";

/** One measured unit: its facts for results, and what measuring it needs. */
export interface PlannedArm extends ArmFacts {
  /** The settings of its processes: arms of one configuration share them. */
  readonly configuration: Configuration;
  readonly plan: Plan;
  /** Arms with the same key do the same work and must give the same answer. */
  readonly answerKey: string;
  readonly answerFields: readonly string[];
  readonly answersMayDiffer: boolean;
  /** The expected answer, for when no other server gives one. */
  readonly expected: JsonObject;
  /** Calls that bring a freshly started server to the state that the arm needs. */
  readonly setup: readonly Step[];
  readonly needs: readonly TcpNeed[];
  readonly takesFirstCall: boolean;
  /** Whether it is measured after the arms before it, not in a random order; absent for no. */
  readonly keepsOrder?: boolean;
  /** Whether its server also has the core of the client; absent for no. */
  readonly servedOnBothCores?: boolean;
  /** What starts its tasks; absent if each caller begins its next at once. */
  readonly pacing?: Load;
  /** How its rates are searched: it is no arm of a round, but a template for the resulting ones. */
  readonly saturation?: SaturationSearch;
  readonly callers: number;
  /** TCP connections of the client. HTTP/1.1 carries one call at a time on each; the others carry all on one per caller. */
  readonly connections: number;
  readonly tasksPerRound: number;
  readonly tasksPerBlock: number;
  /** 1 is never left out if time is short; the largest number is left out first, on all stacks. */
  readonly priority: number;
}

// Concurrent calls would queue on one HTTP/1.1 connection; browsers and agents open several, at most six per host.
const mostConnectionsPerCaller = 6;

function connectionsOf(stack: Stack, plan: Plan, { callers, load, saturation }: Task): number {
  // Calls of an open loop would open one connection after the other, each of them cold on first use.
  const isOpen = saturation !== undefined || load?.pacer.loop === "open";
  if (isOpen && stack.callsAtOnce === "side-by-side") return 1;
  const isOneByOne = isOneExchange(plan.order) || stack.callsAtOnce !== "one-each";
  const atOnce = isOneByOne ? 1 : Math.max(...setsOfSteps(plan.order, plan.steps).map(({ length }) => length));
  return callers * Math.min(atOnce, mostConnectionsPerCaller);
}

/** The number of calls of a task that wait for others, if the name of its variant does not state it: more than sets, where connections are few. */
function callsInSequence({ callsAtOnce }: Stack, variant: string, plan: Plan): number | undefined {
  const { order, steps, turns } = plan;
  const most = callsAtOnce === "one-each" ? mostConnectionsPerCaller : Number.POSITIVE_INFINITY;
  const sets = setsOfSteps(order, steps).reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / most)), 0);
  const isImplied = variant === "chatty-parallel" || isOneExchange(order) || turns !== undefined;
  return isImplied || sets === steps.length ? undefined : sets;
}

function canCarry(stack: Stack, plan: Plan): boolean {
  if (plan.driver === "autocannon" && stack.autocannon !== true) return false;
  if (stack.limitations.some(({ feature }) => plan.steps.some(({ needs }) => needs === feature))) return false;
  return plan.order !== "together" || !stack.limitations.some((limitation) => limitation.feature === "together");
}

/** The length of a pause in a stream: half a round trip by default; without a distance there are no pauses. */
function pausesOn({ pauseMs }: Plan, { link }: Configuration): Pick<Plan, "pauseMs"> {
  return pauseMs !== undefined || link === undefined || link.rttMs === 0 ? {} : { pauseMs: link.rttMs / 2 };
}

/**
 * The floor, which all stacks are compared with and which varies least, runs half as many tasks, to save a quarter of a minute. Calls in process take
 * microseconds: all in one block, they outlast a reading of the clock and cost no time between blocks.
 */
function tasksOf({ role }: Stack, task: Task): Pick<PlannedArm, "tasksPerRound" | "tasksPerBlock"> {
  if (role === inProcessName) return { tasksPerRound: task.tasksPerRound, tasksPerBlock: task.tasksPerRound };
  const share = role === "floor" ? 0.5 : 1;
  return { tasksPerRound: Math.ceil(task.tasksPerRound * share), tasksPerBlock: Math.ceil(task.tasksPerBlock * share) };
}

/** Options of the run that override its studies. */
export interface ArmOptions {
  readonly targets: readonly Target[];
  /** Programs that serve stacks in place of this project's servers, by stack; absent for none. */
  readonly commands?: ReadonlyMap<string, ServerCommand>;
  /** Levels of settings in every task; they override a task's own. */
  readonly settings: SettingLevels;
  /** Levels of link settings in every task; they override a task's own. */
  readonly links: LinkLevels;
  /** The network of tasks without their own; undefined uses the machine's. */
  readonly usualLink: LinkSettings | undefined;
  /** Whether everything uses TLS, including tasks with both as levels. */
  readonly tls: boolean;
  /** The versions to measure side by side; absent without versions. */
  readonly versions?: readonly Version[];
}

/** A stack's title in results: with its settings, and whether its server is a target or a command. */
function titleOf({ title }: Stack, { settings }: Configuration, foreign: Foreign): string {
  const notes = [...(foreign === undefined ? [] : [foreign]), ...settingsText(settings)];
  return notes.length === 0 ? title : `${title} (${notes.join(", ")})`;
}

type Foreign = "target" | "command" | undefined;

/** Whose server a stack has; undefined for this project's own, in any version. */
function foreignServer({ name }: Stack, { targets, commands, versions = [] }: ArmOptions): Foreign {
  const kinds = new Set(versions.map((version) => version.server(name).kind));
  if (targets.some((target) => target.stack === name) || kinds.has("target")) return "target";
  return commands?.has(name) === true || kinds.has("command") ? "command" : undefined;
}

function linksOf(task: Task, { links, usualLink }: ArmOptions): readonly LinkSettings[] {
  const own = linksWith(task.links, links);
  return own.length > 0 || usualLink === undefined ? own : [usualLink];
}

/** The levels of a stack's settings for a task; the run's own win over the task's, which apply where the stack has the setting, and that value of it. */
function levelsOf(task: Task, { name, settings: declared }: Stack, { settings }: ArmOptions): LevelsOfStack {
  const ofTask = declared.flatMap((setting) => {
    const levels = task.settings[setting.name];
    const isAllowed = (level: SettingValue): boolean =>
      settingFault([setting], { [setting.name]: level }) === undefined;
    return levels === undefined ? [] : [[setting.name, levels.filter(isAllowed)] as const];
  });
  return { ...Object.fromEntries(ofTask), ...settings[name] };
}

/** The same for services. */
function serviceLevelsOf({ serviceSettings = {} }: Task, { settings }: ArmOptions): SettingLevels {
  const names = new Set([...Object.keys(serviceSettings), ...Object.keys(settings)]);
  return Object.fromEntries([...names].map((name) => [name, { ...serviceSettings[name], ...settings[name] }]));
}

/** The factors of a task's load. Throws a RunnerError `bad-plan` for an invalid load. */
function paceFactors(study: Study, task: Task): Task["factors"] {
  const { name, load, saturation, callers, tasksPerBlock } = task;
  if (load === undefined) return saturation === undefined ? {} : { arrivals: "poisson" };
  try {
    requireLoad(load, tasksPerBlock);
  } catch (cause) {
    if (!(cause instanceof RunnerError)) throw cause;
    throw new RunnerError(cause.code, `study ${study.name}, task ${name}: ${cause.message}`, { cause });
  }
  return factorsOfLoad(load, callers);
}

/** Whether a variant of a task is called in process too: one that is never left out, of one caller without a load, whose network is the machine's own. */
function isCalledInProcess(task: Task, variant: string, options: ArmOptions): boolean {
  const { load, saturation, tls, callers, priorities = {}, variants } = task;
  if (load !== undefined || saturation !== undefined || tls !== undefined || callers > 1) return false;
  const isPlain = variants[variant]?.driver === "own" && variants[variant].order === "sequential";
  return isPlain && linksOf(task, options).length === 0 && (priorities[variant] ?? 1) === 1;
}

/** The arms of one task on one stack: every supported variant in every configuration. */
function armsOfTask(study: Study, task: Task, stack: Stack, options: ArmOptions): readonly PlannedArm[] {
  const { targets, commands, tls, versions = [] } = options;
  const target = targets.find((one) => one.stack === stack.name);
  const foreign = target !== undefined ? "target" : commands?.has(stack.name) === true ? "command" : undefined;
  const services = serviceSettingsOf(serviceLevelsOf(task, options));
  const plans = Object.entries(task.variants)
    .filter(([, plan]) => canCarry(stack, plan))
    .filter(
      ([variant]) =>
        stack.role !== inProcessName || (study.inProcess === true && isCalledInProcess(task, variant, options)),
    );
  const taskFactors = { ...task.factors, ...paceFactors(study, task) };
  const work = factorText(taskFactors);
  // A setting that varies within the study is a factor of all its arms, even at its default.
  const varied = variedIn(study.tasks.flatMap((one) => linksOf(one, options)));
  // The URL of a target or command determines its protocol.
  const secure = task.tls === undefined || foreign !== undefined ? [] : tls ? [true] : task.tls;
  const links = linksOf(task, options);
  const around = { links, tls: secure, warmUp: task.warmUp ?? [], services, versions };
  return configurationsOf(stack, levelsOf(task, stack, options), foreign !== undefined, around).flatMap(
    (configuration) => {
      const factors = { ...surroundingFactors(configuration, varied), ...configuration.settings };
      // A server without edges answers no document over them.
      const answered = plans.filter(([, { order }]) => order !== "linked" || configuration.settings["edges"] !== false);
      return answered.map(([variant, plan]): PlannedArm =>
        present({
          id: `${study.name}/${task.name}/${stack.name}/${variant}${work}${factorText(factors)}`,
          study: study.name,
          task: task.name,
          style: stack.style,
          server: stack.server,
          client: stack.client,
          stack: stack.name,
          title: titleOf(stack, configuration, foreignServer(stack, options)),
          stackTitle: stack.title,
          isDefaultStack: stack.isDefault,
          bounds: stack.bounds.length === 0 ? undefined : stack.bounds,
          role: stack.role,
          variant,
          factors: { ...taskFactors, ...factors },
          settingDefaults: Object.keys(configuration.defaults).length === 0 ? undefined : configuration.defaults,
          target: target && shownUrl(target.url),
          computesOnThreads: task.computesOnThreads === true && foreign === undefined ? true : undefined,
          callsPerTask: isOneExchange(plan.order) || plan.turns !== undefined ? 1 : plan.steps.length,
          breakEvensOver: study.breakEvensOver,
          mix: plan.turns === undefined ? undefined : plan.steps.map(({ operation }) => operation),
          callsInSequence: callsInSequence(stack, variant, plan),
          configuration,
          plan: { ...plan, ...pausesOn(plan, configuration) },
          answerKey: `${study.name}/${task.name}${work}`,
          answerFields: task.answerKeys,
          answersMayDiffer: task.answersMayDiffer ?? false,
          expected: task.expected,
          setup: task.setup,
          needs: task.needs ?? [],
          keepsOrder: study.keepsOrder,
          servedOnBothCores: task.servedOnBothCores,
          takesFirstCall: stack.role !== inProcessName && (task.takesFirstCalls ?? study.takesFirstCalls ?? true),
          load: task.load && factsOfLoad(task.load),
          pacing: task.load,
          saturation: task.saturation,
          callers: task.callers,
          connections: connectionsOf(stack, plan, task),
          connectRoundTrips: stack.connectRoundTrips === 0 ? undefined : stack.connectRoundTrips,
          ...tasksOf(stack, task),
          priority: Math.max(task.priorities?.[variant] ?? 1, stack.role === "floor" ? (study.floorPriority ?? 1) : 1),
        }),
      );
    },
  );
}

/** The arms of one study. Tasks that differ only in their networks become one, which runs as often as that with the nearest distance. */
function armsOfStudy(study: Study, stacks: readonly Stack[], options: ArmOptions): readonly PlannedArm[] {
  const chosen = new Map<string, { readonly arm: PlannedArm; readonly distanceFromOwnLinks: number }>();
  for (const task of study.tasks) {
    const taskStacks = stacks.filter(({ name, style, role }) => {
      if (!(task.styles?.includes(style) ?? true)) return false;
      return role === "style" ? (study.measuredOn?.includes(name) ?? true) : role !== "floor" || (task.onFloor ?? true);
    });
    for (const arm of taskStacks.flatMap((stack) => armsOfTask(study, task, stack, options))) {
      const { link } = arm.configuration;
      const distanceFromOwnLinks = link === undefined ? 0 : distanceFrom(link, task.links);
      const before = chosen.get(arm.id);
      if (before === undefined || distanceFromOwnLinks < before.distanceFromOwnLinks)
        chosen.set(arm.id, { arm, distanceFromOwnLinks });
    }
  }
  return [...chosen.values()].map(({ arm }) => arm);
}

/** The arms of these studies on these stacks. Throws like {@link configurationsOf}. */
export function armsOf(
  studies: readonly Study[],
  stacks: readonly Stack[],
  options: ArmOptions = { targets: [], settings: {}, links: {}, usualLink: undefined, tls: false },
): readonly PlannedArm[] {
  return studies.flatMap((study) => armsOfStudy(study, stacks, options));
}

const factNames = Object.keys({
  id: true,
  study: true,
  task: true,
  style: true,
  server: true,
  client: true,
  stack: true,
  title: true,
  stackTitle: true,
  role: true,
  variant: true,
  factors: true,
  callsPerTask: true,
  connections: true,
  bounds: true,
  breakEvensOver: true,
  callsInSequence: true,
  computesOnThreads: true,
  connectRoundTrips: true,
  isDefaultStack: true,
  load: true,
  mix: true,
  settingDefaults: true,
  target: true,
} satisfies Record<keyof ArmFacts, true>) as (keyof ArmFacts)[];

export function factsOfArm(arm: PlannedArm): ArmFacts {
  return present(Object.fromEntries(factNames.map((name) => [name, arm[name]]))) as unknown as ArmFacts;
}

export interface ArmSelection {
  readonly measured: readonly PlannedArm[];
  /** One for each reason why arms are left out. */
  readonly leftOut: readonly LeftOutArms[];
}
