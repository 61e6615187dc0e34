// The action of `roundtrip export`: plans rounds of studies and writes the files for another load generator.
import type { Contract } from "@roundtrip/contract";
import type { ExportFile, K6Plan, ServedBy } from "@roundtrip/k6";
import type { Study, Target } from "@roundtrip/runner";
import { leftOutText } from "@roundtrip/runs";
import { armsOf, leaveOutTargetWrites, scheduleRound, type PlannedArm } from "@roundtrip/runner/parts";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { unbroken } from "../basics/interruption.ts";
import { chosenStudies, requireOperations, withWishes } from "../bench/chosen-studies.ts";
import { durationText } from "../bench/progress.ts";
import { isOwnStudy, ownStudy, type OwnFlags } from "../bench/own-study.ts";
import { type TypedArrivals, withArrivals } from "../bench/arrivals.ts";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { clusterFor } from "../export/cluster.ts";
import type { ClusterFlags } from "../export/cluster-options.ts";
import { loadContractFrom, type ContractFlags, type LoadedContract } from "../contract/contract-source.ts";
import { knownSettings } from "../stacks/known-settings.ts";
import type { TypedSetting } from "../options/key-values.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { TypedTargets } from "../targets/typed-target.ts";

interface ExportFlags extends ContractFlags, OwnFlags, StackFlags, ClusterFlags {
  readonly calls?: number;
  readonly arrivals?: TypedArrivals;
  readonly set?: readonly TypedSetting[];
  readonly target?: TypedTargets;
  readonly rounds?: number;
  readonly callTime?: number;
  readonly seed?: number;
  readonly out?: string;
}

/** Estimated duration of a call on one machine, in milliseconds, with a margin. */
const usualCallMs = 5;

/** `roundtrip fake` serves browsers and its page at the two ports after the server's. */
const portsOf = { serve: 1, fake: 3 } as const satisfies Record<ServedBy["command"], number>;

/** The selected stacks and those of the targets; with targets and no selection, only theirs. The floor only if it is selected: k6 cannot call it. */
async function exportedStacks(flags: StackFlags, targets: readonly Target[]): Promise<readonly Stack[]> {
  const isSelected = flags.stack !== undefined;
  const chosen = !isSelected && targets.length > 0 ? [] : await chosenStacks(flags);
  const here = chosen.filter(({ role }) => isSelected || role === "style");
  const missing = targets.filter(({ stack }) => !here.some(({ name }) => name === stack));
  return [...here, ...(await Promise.all(missing.map(({ stack }) => loadStack(stack))))];
}

/** The named studies before the contract is loaded; undefined for a study of the contract. Rejects with a usage error for unknown names, and for none. */
async function namedStudies(names: readonly string[], flags: ExportFlags): Promise<readonly Study[] | undefined> {
  if (isOwnStudy(names, flags)) return undefined;
  if (names.length === 0) {
    throw new CliError(
      "usage",
      "name the studies to export, such as hello, or give --contract PATH for your own contract",
    );
  }
  return chosenStudies(names, { calls: flags.calls });
}

interface StudiesToExport {
  readonly studies: readonly Study[];
  /** Notes to print; may be empty. */
  readonly notes: string;
  readonly servedBy: ServedBy;
}

/** The studies with the overrides of the flags. Rejects like {@link ownStudy}, and for operations that the contract does not have. */
async function studiesToExport(
  named: readonly Study[] | undefined,
  flags: ExportFlags,
  { contract }: LoadedContract,
  { stacks, targets }: { readonly stacks: readonly Stack[]; readonly targets: readonly Target[] },
): Promise<StudiesToExport> {
  const isForeign = flags.contract !== undefined;
  const own =
    named === undefined ? await ownStudy(contract, flags, { stacks, targets, commands: new Map() }) : undefined;
  const chosen = own === undefined ? (named ?? []) : withWishes([own.study], { calls: flags.calls });
  requireOperations(chosen, contract, flags.contract?.[0]);
  const studies = flags.arrivals === undefined ? chosen : withArrivals(chosen, flags.arrivals, flags.calls);
  const command = own !== undefined && isForeign ? "fake" : "serve";
  return { studies, notes: own?.notes ?? "", servedBy: { command, isForeign } };
}

interface Planned {
  readonly studies: readonly Study[];
  readonly stacks: readonly Stack[];
  readonly targets: readonly Target[];
}

function plannedArms(
  { studies, stacks, targets }: Planned,
  contract: Contract,
  flags: ExportFlags,
): ReturnType<typeof leaveOutTargetWrites> {
  const settings = knownSettings(flags.set, stacks, "exported");
  const arms = armsOf(studies, stacks, { targets, settings, links: {}, usualLink: undefined, tls: false });
  return flags.disposable ? { measured: arms, leftOut: [] } : leaveOutTargetWrites(arms, contract);
}

/** Throws a usage error if a server of the plan cannot be started with its settings. */
function requireStartable(arms: readonly PlannedArm[], { command }: ServedBy): void {
  const here = command === "fake" ? arms.filter(({ target }) => target === undefined) : [];
  const [name] = here.flatMap(({ configuration: { server, services } }) =>
    [server, ...Object.values(services)].flatMap((settings) => Object.keys(settings)),
  );
  if (name === undefined) return;
  throw new CliError("usage", `"roundtrip fake" serves your contract, and has no setting ${name}: leave --set out`);
}

function roundsText(rounds: number): string {
  return rounds === 1 ? "1 round" : `${rounds} rounds`;
}

/** Throws a usage error for flags that the command cannot follow. */
function requireFlags(flags: ExportFlags): asserts flags is ExportFlags & { readonly out: string } {
  if (flags.out === undefined) throw new CliError("usage", "give --out DIRECTORY, for example --out k6");
  if (flags.kubernetes !== undefined && flags.target?.access.tokenEnv !== undefined) {
    throw new CliError("usage", "--kubernetes writes no secrets: leave token-env out");
  }
}

export async function exportStudies(engine: string, names: readonly string[], flags: ExportFlags): Promise<void> {
  requireKnown("engine", engine, ["k6"]);
  const named = await namedStudies(names, flags);
  requireFlags(flags);
  const targets = await knownTargets(flags.target);
  const stacks = await exportedStacks(flags, targets);
  // No other command loads this.
  const k6 = await import("@roundtrip/k6");
  await using loaded = await loadContractFrom(flags.contract);
  const { studies, notes: first, servedBy } = await studiesToExport(named, flags, loaded, { stacks, targets });
  const { bytes, hash, contract } = k6.contractImage(loaded.source);
  const { measured, leftOut } = plannedArms({ studies, stacks, targets }, contract, flags);
  requireStartable(measured, servedBy);
  const prepared = await k6.k6ArmsOf(measured, contract, { targets, portsEach: portsOf[servedBy.command] });
  const notes = [...leftOut, ...prepared.leftOut].map(leftOutText);
  if (prepared.arms.length === 0) {
    throw new CliError("usage", `k6 cannot run any of this: ${notes.join("; ")}`);
  }
  const seed = flags.seed ?? Math.floor(Math.random() * 2 ** 31);
  const timing = k6.patientTiming(flags.callTime ?? usualCallMs);
  const rounds = flags.rounds ?? Math.max(...studies.map((study) => study.rounds));
  // Each round has its own order and arrivals, so that their effects average out.
  const plans = Array.from({ length: rounds }, (_, round) => {
    const schedule = scheduleRound(measured, seed, round);
    return k6.planOf({ prepared, schedule, seed, round, firstBlock: 0, contractHash: hash, timing });
  });
  const [plan] = plans as [K6Plan, ...K6Plan[]];
  const files: readonly ExportFile[] = k6.exportFiles({ plans, contract: bytes, servedBy });
  const called = studies.map(({ name }) => name);
  const cluster = await clusterFor(flags.kubernetes, {
    names: names.length === 0 ? called : names,
    plans,
    calls: k6.callsIn(plan),
    targets,
    isForeign: servedBy.isForeign,
  });
  const all = cluster === undefined ? files : [...files, ...k6.kubernetesFiles(cluster)];
  const { out } = flags;
  await unbroken(() => k6.writeExport(out, all));
  process.stderr.write(first);
  for (const message of notes) process.stderr.write(`${message}\n`);
  const { cells, arms } = plan;
  const readme = `${flags.out}/${cluster === undefined ? "" : "kubernetes/"}README.md`;
  process.stdout.write(
    `${flags.out}: ${roundsText(rounds)} of ${arms.length} arms in ${cells.length} cells, ${durationText(k6.lengthMs(plan))} of k6 each; ${readme} says how to run it\n`,
  );
}
