// Compares two run directories: ratios by arm, exact counts, and differences of their environments. Without a verdict, since two jobs are no gate.
import { summariseArms, type ArmFigures } from "../analyse/analyse.ts";
import { counted } from "../basics/words.ts";
import { exactChanges } from "./exact-changes.ts";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import { comparedMetrics, roundLogs, cellId, comparedArm, type ComparedMetric } from "./version-pairs.ts";
import { generatorName, type Arm, type Environment, type RunFacts } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { minimumRounds } from "../statistics/student-t.ts";
import { recordWarnings } from "../warnings/record-warnings.ts";
import { unpairedRatios, type UnpairedRatio, type UnpairedRounds } from "./unpaired-ratios.ts";
import { taskLatencies } from "./task-latencies.ts";
import {
  comparedMemory,
  versionFigures,
  type CellState,
  type ComparedCell,
  type ComparedVersion,
  type EnvironmentDifference,
  type UnpairedComparison,
} from "./version-comparison.ts";

/** The round-trip time of a link is measured, so it always varies. Reported if it differs by over 0.1 ms and over a fifth. */
function linkOf({ link }: Environment, other: Environment["link"]): string {
  const { kind, rttMs, mtuBytes } = link;
  const gap = Math.abs(rttMs - other.rttMs);
  const isFar = gap > 0.1 && gap > 0.2 * Math.min(rttMs, other.rttMs);
  const distance = isFar ? `, ${rttMs.toPrecision(3)} ms round trip` : "";
  return `${kind}${distance}${mtuBytes === other.mtuBytes || mtuBytes === 0 ? "" : `, packets of ${counted(mtuBytes, "byte")}`}`;
}

/** Imported runs do not know the machines of their calls, and have 0 for numbers. */
const unlessUnknown = (value: number, text: string): string => (value === 0 ? "unknown" : text);

const ownClients = "Node.js clients";

function memoryOf({ memoryGiB }: Environment): string {
  return unlessUnknown(memoryGiB, `${Math.round(memoryGiB)} GiB`);
}

function environmentRows(base: Environment, head: Environment): readonly (readonly [string, string, string])[] {
  // A library in only one of the runs belongs to a stack in only one of them.
  const libraries = Object.keys(base.libraries).filter((name) => head.libraries[name] !== undefined);
  return [
    ["CPU model", base.cpuModel, head.cpuModel],
    ["cores", unlessUnknown(base.cores, `${base.cores}`), unlessUnknown(head.cores, `${head.cores}`)],
    ["memory", memoryOf(base), memoryOf(head)],
    ["runtime", base.runtime, head.runtime],
    ["generator", generatorName(base) ?? ownClients, generatorName(head) ?? ownClients],
    ["kernel", base.kernel, head.kernel],
    ["congestion control", base.congestionControl, head.congestionControl],
    ["placement of processes", base.placement, head.placement],
    ["network", linkOf(base, head.link), linkOf(head, base.link)],
    ["TLS", base.tls === true ? "on" : "off", head.tls === true ? "on" : "off"],
    ...libraries.map((name) => [`version of ${name}`, base.libraries[name] ?? "", head.libraries[name] ?? ""] as const),
  ];
}

function environmentDifferences(base: Environment, head: Environment): readonly EnvironmentDifference[] {
  return environmentRows(base, head).flatMap(([what, ofBase, ofHead]) =>
    ofBase === ofHead ? [] : [{ what, base: ofBase, head: ofHead }],
  );
}

/** @param low @param high ends of an interval of head over base; null without an interval. */
export function cellState(
  low: number | null,
  high: number | null,
  { tolerate, detect }: { readonly tolerate: number; readonly detect: number },
): CellState {
  if (low === null || high === null) return "undecided";
  if (low > 1 + tolerate) return "worse";
  if (high < 1 / (1 + tolerate)) return "better";
  return high < 1 + detect ? "not-worse" : "undecided";
}

export interface MeasuredRun {
  readonly version: ComparedVersion;
  readonly facts: RunFacts;
  readonly calls: GatheredCalls;
}

export interface CompareRunsOptions {
  /** 0.02 for 2 %. */
  readonly tolerate: number;
  readonly detect: number;
}

export const compareRunsDefaults = { tolerate: 0.02, detect: 0.05 } as const satisfies CompareRunsOptions;

const noGate: Warning = {
  code: "different-jobs",
  message:
    "two jobs differ as a whole, which is in none of these intervals: comparing across jobs has raised false alarms in 41 to 60 % of " +
    "comparisons without any change, so take this for a hint",
};

interface Side {
  readonly run: MeasuredRun;
  readonly figures: ArmFigures;
}

function sideOf(run: MeasuredRun): Side {
  const { facts, calls } = run;
  return { run, figures: summariseArms(facts, calls) };
}

interface CommonArm {
  readonly base: Arm;
  readonly head: Arm;
}

function logsOf({ run: { facts, calls }, figures }: Side, metric: ComparedMetric): (armId: string) => number[] {
  const logs = roundLogs(facts, calls, metric);
  const rounds = Math.max(facts.roundsDone, ...facts.blocks.map(({ round }) => round + 1));
  const isVoid = new Set(metric === "latencyMs" ? figures.voidCells.map(({ armId }) => armId) : []);
  return (armId) =>
    Array.from({ length: rounds }, (_, round) =>
      isVoid.has(armId) ? Number.NaN : (logs.get(armId)?.get(round) ?? Number.NaN),
    );
}

function cellsOf(
  arms: readonly CommonArm[],
  base: Side,
  head: Side,
  options: CompareRunsOptions,
): readonly ComparedCell[] {
  const figures = { base: versionFigures(base.figures), head: versionFigures(head.figures) };
  const rows = comparedMetrics.flatMap((metric) => {
    const logs = { base: logsOf(base, metric), head: logsOf(head, metric) };
    return arms.flatMap((arm) => {
      const ofBase = figures.base(arm.base.id, metric);
      const ofHead = figures.head(arm.head.id, metric);
      if (ofBase === undefined || ofHead === undefined) return [];
      const rounds: UnpairedRounds = { base: logs.base(arm.base.id), head: logs.head(arm.head.id) };
      return [{ arm: arm.head, metric, ofBase, ofHead, rounds }];
    });
  });
  const ratios = unpairedRatios(rows.map(({ rounds }) => rounds));
  return rows.flatMap(({ arm, metric, ofBase, ofHead }, index): ComparedCell | readonly ComparedCell[] => {
    const { centre, pseudoMedian, interval, rounds } = ratios[index] as UnpairedRatio;
    if (!Number.isFinite(centre)) return [];
    const [low, high] = interval === null ? [null, null] : [Math.exp(interval.low), Math.exp(interval.high)];
    return {
      id: cellId(arm.id, metric),
      ...comparedArm(arm),
      metric,
      base: ofBase,
      head: ofHead,
      rounds,
      ratio: Math.exp(centre),
      low,
      high,
      atMost: null,
      pseudoMedian: Math.exp(pseudoMedian),
      state: cellState(low, high, options),
      smallestDetectable: null,
    };
  });
}

function latenciesOf(arms: readonly CommonArm[], base: Side, head: Side, { tolerate }: CompareRunsOptions) {
  const figures = { base: versionFigures(base.figures), head: versionFigures(head.figures) };
  const both = arms.flatMap((arm) => {
    const [ofBase, ofHead] = [figures.base(arm.base.id, "latencyMs"), figures.head(arm.head.id, "latencyMs")];
    if (ofBase === undefined || ofHead === undefined) return [];
    const armIds = { base: arm.base.id, head: arm.head.id };
    return [{ id: arm.head.id, arm: comparedArm(arm.head), base: ofBase, head: ofHead, armIds }];
  });
  return taskLatencies(both, { base: base.run.calls, head: head.run.calls }, { pairedBy: null, tolerate });
}

function warningKey({ code, message }: Warning): string {
  return `${code} ${message}`;
}

/** The warnings of both runs with the run that they belong to. A warning of both is reported once. */
function ownWarnings(base: Side, head: Side): readonly Warning[] {
  const [ofBase, ofHead] = [recordWarnings(base.run.facts), recordWarnings(head.run.facts)];
  const sides = [
    ["base", ofBase, new Set(ofHead.map(warningKey))],
    ["head", ofHead, new Set(ofBase.map(warningKey))],
  ] as const;
  return sides.flatMap(([name, warnings, others]) =>
    warnings.flatMap((warning) => {
      if (!others.has(warningKey(warning))) return [{ ...warning, message: `${name}: ${warning.message}` }];
      return name === "base" ? [{ ...warning, message: `both: ${warning.message}` }] : [];
    }),
  );
}

function roundWarnings({ run }: Side, name: string): readonly Warning[] {
  const { roundsDone, status } = run.facts;
  const few: Warning = {
    code: "few-rounds",
    message: `${name} has ${counted(roundsDone, "complete round")}: an interval needs ${minimumRounds}, so there is none`,
  };
  const cut: Warning = { code: "unfinished", message: `${name} is a run that was ${status} before its end` };
  return [...(roundsDone < minimumRounds ? [few] : []), ...(status === "complete" ? [] : [cut])];
}

export function compareRuns(
  baseRun: MeasuredRun,
  headRun: MeasuredRun,
  options: CompareRunsOptions = compareRunsDefaults,
): UnpairedComparison {
  const [base, head] = [sideOf(baseRun), sideOf(headRun)];
  const ofBase = new Map(baseRun.facts.arms.map((arm) => [arm.id, arm]));
  const ofHead = new Map(headRun.facts.arms.map((arm) => [arm.id, arm]));
  const common = headRun.facts.arms.flatMap((arm): readonly CommonArm[] => {
    const other = ofBase.get(arm.id);
    return other === undefined ? [] : [{ base: other, head: arm }];
  });
  const blocks = {
    base: Map.groupBy(baseRun.facts.blocks, ({ armId }) => armId),
    head: Map.groupBy(headRun.facts.blocks, ({ armId }) => armId),
  };
  const { exact, warnings } = exactChanges(
    common.map((arm) => ({
      id: arm.head.id,
      base: { arm: arm.base, blocks: blocks.base.get(arm.base.id) ?? [] },
      head: { arm: arm.head, blocks: blocks.head.get(arm.head.id) ?? [] },
    })),
  );
  return {
    kind: "run-directories",
    base: baseRun.version,
    head: headRun.version,
    tolerate: options.tolerate,
    detect: options.detect,
    cells: cellsOf(common, base, head, options),
    latencies: latenciesOf(common, base, head, options),
    memory: comparedMemory(
      common.map((arm) => ({
        id: arm.head.id,
        arm: comparedArm(arm.head),
        base: arm.base.id,
        head: arm.head.id,
      })),
      versionFigures(base.figures),
      versionFigures(head.figures),
    ),
    exact,
    onlyBase: [...ofBase.keys()].filter((id) => !ofHead.has(id)),
    onlyHead: [...ofHead.keys()].filter((id) => !ofBase.has(id)),
    environmentDifferences: environmentDifferences(baseRun.facts.environment, headRun.facts.environment),
    warnings: [
      noGate,
      ...roundWarnings(base, "base"),
      ...roundWarnings(head, "head"),
      ...warnings,
      ...ownWarnings(base, head),
    ],
  };
}
