// The action of `roundtrip export`: plans rounds of studies and writes the files for another load generator.
import type { Warning } from "@roundtrip/analysis";
import type { Contract } from "@roundtrip/contract";
import type { ExportFile, K6Plan } from "@roundtrip/k6";
import type { Study, Target } from "@roundtrip/runner";
import { armsOf, scheduleRound, leaveOutTargetWrites, type PlannedArm } from "@roundtrip/runner/parts";
import { chosenStudies, requireOperations } from "../bench/chosen-studies.ts";
import type { TypedArrivals } from "../bench/typed-arrivals.ts";
import { withArrivals } from "../bench/with-arrivals.ts";
import { chosenStacks, selectsStacks, type StackFlags } from "../stacks/chosen-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";
import { clusterFor, requireCluster } from "../export/cluster.ts";
import type { ClusterFlags } from "../export/cluster-options.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { protoSources } from "../contract/compile-contract.ts";
import { knownSettings } from "../stack-settings/known-settings.ts";
import type { TypedSetting } from "../stack-settings/typed-settings.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { TypedTarget } from "../targets/typed-target.ts";

interface ExportFlags extends ContractFlags, ClusterFlags, StackFlags {
  readonly contract?: string;
  readonly set?: readonly TypedSetting[];
  readonly target?: readonly TypedTarget[];
  readonly disposable: boolean;
  readonly rounds?: number;
  readonly calls?: number;
  readonly arrivals?: TypedArrivals;
  readonly callTime?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly quiet: boolean;
}

/** Estimated duration of a call on one machine, in milliseconds, with a margin. */
const usualCallMs = 5;

async function plannedStudies(
  names: readonly string[],
  { arrivals, calls }: Pick<ExportFlags, "arrivals" | "calls">,
): Promise<readonly Study[]> {
  const chosen = await chosenStudies(names, { calls, p99Ms: undefined });
  return arrivals === undefined ? chosen : withArrivals(chosen, arrivals, calls);
}

async function plannedArms(
  studies: readonly Study[],
  contract: Contract,
  targets: readonly Target[],
  flags: ExportFlags,
): Promise<{ readonly measured: readonly PlannedArm[]; readonly warnings: readonly Warning[] }> {
  const stacks = (await chosenStacks(flags)).filter(({ role }) => selectsStacks(flags) || role === "style");
  const settings = knownSettings(flags.set, stacks, "exported");
  const arms = armsOf(studies, stacks, { targets, settings, links: {}, usualLink: undefined, tls: false });
  return flags.disposable ? { measured: arms, warnings: [] } : leaveOutTargetWrites(arms, contract);
}

function lengthText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function roundsText(rounds: number): string {
  return rounds === 1 ? "1 round" : `${rounds} rounds`;
}

/** Runs the command. Rejects with an error that states what to do. */
export async function exportStudies(engine: string, names: readonly string[], flags: ExportFlags): Promise<void> {
  requireKnown("engine", engine, ["k6"]);
  if (flags.out === undefined) throw new CliError("usage", "give --out DIRECTORY, for example --out k6");
  requireCluster(flags);
  // No other command loads this.
  const k6 = await import("@roundtrip/k6");
  const { contractImage, exportFiles, k6ArmsOf, kubernetesFiles, lengthMs, patientTiming, planOf, writeExport } = k6;
  const studies = await plannedStudies(names, flags);
  await using loaded = await loadContractFrom(flags.contract, flags);
  requireOperations(studies, loaded.contract, flags.contract);
  const { bytes, hash, contract } = contractImage(loaded.source);
  const targets = await knownTargets(flags.target, undefined, undefined);
  const { measured, warnings } = await plannedArms(studies, contract, targets, flags);
  const prepared = await k6ArmsOf(measured, contract);
  const notes = [...warnings, ...prepared.leftOut].map(({ message }) => message);
  if (prepared.arms.length === 0) {
    throw new CliError("usage", `k6 cannot run any of this: ${notes.join("; ")}`);
  }
  const seed = flags.seed ?? Math.floor(Math.random() * 2 ** 31);
  const timing = patientTiming(flags.callTime ?? usualCallMs);
  const rounds = flags.rounds ?? Math.max(...studies.map((study) => study.rounds));
  // Each round has its own order and arrivals, so that their effects average out.
  const plans = Array.from({ length: rounds }, (_, round) =>
    planOf({
      prepared,
      schedule: scheduleRound(measured, seed, round),
      seed,
      round,
      firstBlock: 0,
      contractHash: hash,
      timing,
    }),
  );
  const [plan] = plans as [K6Plan, ...K6Plan[]];
  const protoFiles = await protoSources(flags.contract, flags);
  const files: readonly ExportFile[] = exportFiles({ plans, contract: bytes, protoFiles });
  const isForeign = flags.contract !== undefined;
  const cluster = await clusterFor(flags, { names, plans, calls: k6.callsIn(plan), files, targets, isForeign });
  await writeExport(flags.out, cluster === undefined ? files : [...files, ...kubernetesFiles(cluster)]);
  for (const message of notes) process.stderr.write(`${message}\n`);
  if (flags.quiet) return;
  const { cells, arms } = plan;
  const readme = `${flags.out}/${cluster === undefined ? "" : "kubernetes/"}README.md`;
  process.stdout.write(
    `${flags.out}: ${roundsText(rounds)} of ${arms.length} arms in ${cells.length} cells, ${lengthText(lengthMs(plan))} of k6 each; ${readme} says how to run it\n`,
  );
}
