// Measures a run: rounds until all are done, the budget is spent, or it is interrupted. It writes facts and computes no claims.
import type { Environment, RunFacts } from "@roundtrip/runs";
import type { Stack } from "@roundtrip/stacks";
import { armsOf, type PlannedArm, type ArmSelection } from "./study/planned-arm.ts";
import type { SettingLevels, ServiceSettings } from "./study/configuration.ts";
import { describeEnvironment } from "./run-directory/environment.ts";
import { chooseLinkKind } from "./link/link-kinds.ts";
import { linkDefaults, linkFactors, type LinkLevels } from "./study/link-settings.ts";
import { noLinks, openLinks, type OpenLinks } from "./link/open-links.ts";
import {
  leaveOutMissingLinks,
  leaveOutTargetWrites,
  leaveOutUnsupported,
  leftOutTexts,
  requireConfigurable,
} from "./rounds/leave-out.ts";
import { linkOf, measureTarget } from "./link/targets.ts";
import type { Engine } from "./rounds/round.ts";
import { placements, type Placements } from "./processes/cores.ts";
import type { ContractSource, ServerCommand, ServiceSource, Target } from "./study/sources.ts";
import { openRunDirectory } from "@roundtrip/runs/write";
import { certificateOf } from "./rounds/run-certificate.ts";
import { RunRecord } from "./run-directory/run-record.ts";
import { loadContract } from "./processes/load-source.ts";
import { RunnerError } from "./basics/runner-error.ts";
import { findCapacities } from "./saturation/find-capacities.ts";
import { RunTime, type Typed } from "./rounds/plan-run.ts";
import { type Progress, runRounds, serversOf, type SideBySideRun } from "./rounds/run-rounds.ts";
import type { Study } from "./study/study.ts";

/** Longer than any call worth measuring. */
export const usualAnswerLimitMs = 30_000;

export interface MeasureOptions {
  readonly studies: readonly Study[];
  readonly stacks: readonly Stack[];
  /** Levels of settings in every task, by stack or service. They override those of a study. */
  readonly settings: SettingLevels;
  /** A kind of link, or `auto` for the best one that supports the settings. */
  readonly link: string;
  /** Levels of link settings for every task. They override those of a study. */
  readonly links: LinkLevels;
  /** Servers that already run. Only the clients of their stacks are started. */
  readonly targets: readonly Target[];
  /** Programs that serve stacks in place of this project's servers, by stack. They start anew in each round, as its own do. */
  readonly commands?: ReadonlyMap<string, ServerCommand>;
  /** Whether tasks that write are measured on targets too. */
  readonly targetsAreDisposable: boolean;
  /** A call without an answer for longer ends the run. */
  readonly answerLimitMs: number;
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  /** The defaults of service settings, for the record. */
  readonly serviceDefaults: ServiceSettings;
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /**
   * Unmeasured calls: up to four stacks at once for this long in each round, more for longer, before each settles alone. Versions side by side divide
   * it among their servers: if fewer are measured, each keeps its share.
   */
  readonly warmUpMs: number;
  /** Wall-clock time for measuring. If it is short, cells are left out by priority, then calls. */
  readonly budgetMs: number;
  /** Which of budget, rounds and calls were typed. Typed rounds and calls are made, whatever they take; only a typed budget reduces rounds. */
  readonly typed?: Typed;
  /** Whether all of the run's own servers use TLS; otherwise only tasks with TLS as a level do. */
  readonly tls: boolean;
  /** As typed, for the record. */
  readonly command: string;
  /** The load generator to use instead of the client processes. */
  readonly engine?: Engine;
  /** Two versions of each server; absent if there is only one. */
  readonly sideBySide?: SideBySideRun;
}

const notBegun = { round: 0, done: 0, remainingMs: undefined } as const;

/** Throws a RunnerError `bad-plan` if no arm is left. */
function requireMeasured(selection: ArmSelection): ArmSelection {
  if (selection.measured.length > 0) return selection;
  throw new RunnerError("bad-plan", ["nothing is left to measure", leftOutTexts(selection)].filter(Boolean).join(": "));
}

/** The arms to measure. Throws `bad-plan` if no arm is left. */
function chosenArms({
  studies,
  stacks,
  settings,
  link,
  links,
  targets,
  commands = new Map(),
  targetsAreDisposable,
  contract,
  tls,
  sideBySide,
}: MeasureOptions): ArmSelection {
  // A network that is requested by name applies to every task.
  const usualLink = link === "auto" || link === "loopback" ? undefined : linkDefaults;
  const planned = armsOf(studies, stacks, {
    targets,
    commands,
    settings,
    links,
    usualLink,
    tls,
    versions: sideBySide?.versions ?? [],
  });
  const all = sideBySide === undefined ? planned : planned.filter((arm) => sideBySide.measures(arm));
  requireConfigurable(all);
  const selection = targetsAreDisposable
    ? { measured: all, leftOut: [] }
    : leaveOutTargetWrites(all, loadContract(contract));
  return requireMeasured(selection);
}

/** Keeps the arms that the engine supports. Rejects with a RunnerError `bad-plan` if no arm is left. */
async function withEngine(chosen: ArmSelection, engine: Engine | undefined): Promise<ArmSelection> {
  if (engine === undefined) return chosen;
  const { measured, leftOut } = requireMeasured(await engine.choose(chosen.measured));
  return { measured, leftOut: [...chosen.leftOut, ...leftOut] };
}

/** The networks of configurations with their own network, as requested and as measured. */
function linksOf({ facts, why }: OpenLinks): Pick<Environment, "links" | "linkChoice"> {
  if (facts.length === 0) return {};
  const links = facts.map(({ asked, measured }) => ({ ...measured, asked: linkFactors(asked) }));
  return why === "" ? { links } : { links, linkChoice: why };
}

/** Opens the networks of the arms, and leaves out arms whose network this machine does not support. */
async function linksFor(
  arms: readonly PlannedArm[],
  { link: name, links: asked }: MeasureOptions,
  signal: AbortSignal,
): Promise<ArmSelection & { readonly links: OpenLinks }> {
  const over = arms.filter(({ configuration }) => configuration.link !== undefined);
  const settings = over.flatMap(({ configuration }) => configuration.link ?? []);
  const asPlanned = { measured: arms, leftOut: [] };
  if (settings.length === 0) return { ...asPlanned, links: noLinks };
  try {
    const chosen = await chooseLinkKind(name, { settings, needs: over.flatMap(({ needs }) => needs) });
    // A network requested by name is not left out: opening it reports why it is not available.
    const spared = asked.congestionControl === undefined ? await leaveOutMissingLinks(arms, chosen.kind) : asPlanned;
    const left = spared.measured.flatMap(({ configuration }) => configuration.link ?? []);
    return { ...spared, links: await openLinks(chosen, left, signal) };
  } catch (thrown) {
    // Interrupting a run also ends the programs that check its links.
    if (signal.aborted) return { ...asPlanned, links: noLinks };
    throw thrown;
  }
}

async function environmentOf(
  { stacks, targets, serviceDefaults, tls, warmUpMs, engine }: MeasureOptions,
  arms: readonly PlannedArm[],
  cores: Placements,
  links: OpenLinks,
): Promise<Environment> {
  const hasServersHere = stacks.length > targets.length;
  const facts = await Promise.all(targets.map(measureTarget));
  const computes = hasServersHere && arms.some(({ computesOnThreads }) => computesOnThreads === true);
  const placement = [
    hasServersHere ? cores.words : cores.wordsOfClients,
    ...(computes ? [cores.wordsOfThreads] : []),
    ...(arms.some(({ servedOnBothCores }) => servedOnBothCores === true)
      ? ["servers whose callers only wait have both cores"]
      : []),
  ].join("; ");
  const link = await linkOf(facts, hasServersHere);
  return {
    ...describeEnvironment({
      stacks,
      link,
      placement,
      services: hasServersHere ? serviceDefaults : {},
      targets: facts,
      drivers: arms.some(({ plan }) => plan.driver === "autocannon") ? ["autocannon"] : [],
    }),
    tls,
    warmUpMs,
    ...(engine === undefined ? {} : { generators: engine.generators }),
    ...linksOf(links),
  };
}

/** Measures, and leaves a readable run directory behind even if it rejects with a RunnerError. */
export async function measureRun(
  options: MeasureOptions,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<RunFacts> {
  const { rounds, seed, command, budgetMs, typed = new Set() } = options;
  const chosen = await withEngine(chosenArms(options), options.engine);
  const placement = placements();
  const { measured: arms, links: opened, leftOut } = await linksFor(chosen.measured, options, signal);
  await using links = opened;
  const certificate = await certificateOf(arms, links, options.tls);
  const environment = await environmentOf(options, arms, placement, links);
  const output = openRunDirectory(options.directory);
  const startedAt = new Date().toISOString();
  const measurable = arms.filter(({ saturation }) => saturation === undefined);
  const outline = { startedAt, seed, command, environment, arms: measurable, roundsPlanned: rounds };
  const record = new RunRecord(outline, [...leftOut, ...chosen.leftOut], output);
  const { targets, commands = new Map(), contract, service, tls, answerLimitMs, warmUpMs } = options;
  const { sideBySide, engine } = options;
  const served = { contract, service, tls, certificate, targets, commands, links, answerLimitMs };
  const alwaysEnds = sideBySide !== undefined;
  const time = new RunTime({ budgetMs, rounds, typed, alwaysEnds, elapsedMs: () => record.elapsedMs });
  const settings = { ...served, seed, warmUpMs, settles: sideBySide === undefined, signal, engine };
  let isEnough = false;
  try {
    record.begin();
    const known =
      sideBySide === undefined ? { measured: arms, leftOut: [] } : await leaveOutUnsupported(arms, served, signal);
    record.events.push(...known.leftOut);
    const onSearch = ({ study, title, task }: PlannedArm): void =>
      onProgress({ ...notBegun, rounds, studies: [study], elapsedMs: record.elapsedMs, searched: `${title}, ${task}` });
    const found = await findCapacities(known.measured, { ...settings, placement: placement.ofRound(0), onSearch });
    record.outline = { ...record.outline, ...found };
    if (found !== undefined) {
      const warmedUpTogether =
        sideBySide === undefined ? serversOf(record.outline.arms) : options.stacks.length * sideBySide.versions.length;
      isEnough = await runRounds({ ...settings, placement, time, record, onProgress, warmedUpTogether, sideBySide });
    }
    const isInterrupted = signal.aborted && record.roundsDone < time.rounds && !isEnough;
    record.status = isInterrupted ? "interrupted" : "complete";
    record.timeLimitMs = isInterrupted || isEnough ? undefined : time.limitedToMs;
    record.write();
  } catch (thrown) {
    record.agreed = !(thrown instanceof RunnerError && thrown.code === "answers-differ");
    record.tryWrite();
    throw thrown;
  } finally {
    record.close();
  }
  return record.facts;
}
