// Computes all results of a run from its facts and calls: values with their uncertainty, without formatting.
import { isImported, pollsForDueTimes, type Arm, type RunFacts, type Samples } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { anomalies, anomaliesOfConnections, anomalyWarnings } from "../anomalies/anomalies.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import type { Claim, ComputedResults } from "../claims/claim.ts";
import { claimsOf } from "../claims/claims-of.ts";
import { breakEvens } from "../comparison/break-even.ts";
import { comparePairs } from "../comparison/compare-run.ts";
import { memoryRatios } from "../comparison/memory-ratios.ts";
import { notComparable, unexpectedConnections, standstillWarnings } from "../warnings/measuring-warnings.ts";
import { pairsOf, type ComparedPair } from "../comparison/pairs-of.ts";
import { crossovers, distanceLines, distanceOfArm, firstCallsByArm } from "../distance/distance-lines.ts";
import { exchangeOfArm, predictedRoundTrips, callsInSequence, roundTrips } from "../distance/round-trips.ts";
import { transfers, type Transfer } from "../distance/transfers.ts";
import { foreignStudy } from "../from-long-form.ts";
import { carriedLoads } from "../load/carried-load.ts";
import { loadSeries } from "../load/load-series.ts";
import { measuredTasks, type MeasuredTask } from "../load/measured-task.ts";
import { blockMetrics, rowMetrics } from "../metrics/metrics.ts";
import { blockMeans, meansByTurn, merged, sortedLatencies } from "../metrics/block-values.ts";
import {
  distributionOf,
  callFailures,
  summarise,
  type Distribution,
  type CallFailures,
  type Metric,
  type Summary,
} from "../metrics/summarise.ts";
import { garbageByArm } from "../metrics/garbage.ts";
import { gatherCalls, type GatheredCalls } from "../metrics/gathered-calls.ts";
import { pacedMetrics, type WithheldPercentiles, type VoidCell, type TailPercentile } from "../metrics/lateness.ts";
import { operationFigures, type OperationFigures } from "../metrics/operation-figures.ts";
import type { ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import type { ValuesByRound } from "../statistics/student-t.ts";
import { busyWarnings, machineUse, type MachineUse } from "../warnings/machine-use.ts";
import { recordWarnings } from "../warnings/record-warnings.ts";
import { roundDrifts, type RoundDrift } from "../warnings/round-drift.ts";
import { fewSlowCalls, type RoundCount } from "../warnings/round-warnings.ts";
import { samplePatterns } from "../warnings/sample-patterns.ts";
import { unsettledStacks, warningsOf, withoutRepeats, type UnsettledStack } from "../warnings/warnings-of.ts";
import { judgedLoads, loadWarnings, type JudgedLoads } from "../warnings/void-cells.ts";

export interface Analysis extends ComputedResults {
  readonly distributions: readonly Distribution[];
  readonly rounds: RoundCount;
  /** Empty without bulk data over a distance. */
  readonly transfers: readonly Transfer[];
  /** One per stack whose blocks changed position between rounds; empty for imported samples. */
  readonly drifts: readonly RoundDrift[];
  /** Stacks whose times still fell when the warm-up of some rounds ended. Reports mark them. */
  readonly unsettled: readonly UnsettledStack[];
  /** How busy the machine was with other work; null where its kernel does not count, and in older runs. */
  readonly machineUse: MachineUse | null;
  readonly voidCells: readonly VoidCell[];
  readonly lateTails: readonly WithheldPercentiles[];
  readonly callFailures: readonly CallFailures[];
  /** The operations of each mix, in its order; empty without one. */
  readonly operations: readonly OperationFigures[];
  /** What the figures support, in the order in which a sceptical reader asks. */
  readonly claims: readonly Claim[];
  /** What readers must know of the record and of its figures. */
  readonly warnings: readonly Warning[];
}

export interface AnalyseOptions {
  readonly seed: number;
  /** Selects the arms to compare; {@link pairsOf} except for imported samples. */
  readonly pairs: (arms: readonly Arm[]) => readonly ComparedPair[];
}

export const analyseDefaults = { seed: 1, pairs: pairsOf } as const satisfies AnalyseOptions;

function roundsOf(facts: RunFacts, tasks: readonly ArmTasks[]): readonly number[] {
  const seen = new Set([
    ...tasks.flatMap((arm) => arm.blocks.map(({ round }) => round)),
    ...facts.blocks.map(({ round }) => round),
    ...facts.firstCalls.map(({ round }) => round),
  ]);
  return [...seen].toSorted((one, other) => one - other);
}

function reportableIn(arm: Arm | undefined, isVoid: boolean): (figure: { readonly metric: Metric }) => boolean {
  const withheld: Metric[] = [];
  if (arm !== undefined && pollsForDueTimes(arm)) withheld.push("clientCpuMsPerTask");
  if (isVoid) withheld.push("latencyFromStartMs", "firstByteMs", "transportMs");
  return ({ metric }) => !withheld.includes(metric);
}

function withoutTail(row: Summary, withheld: readonly TailPercentile[]): Summary {
  const { p90, p95, p99 } = row;
  const reported = (name: TailPercentile, value: number | null): number | null =>
    withheld.includes(name) ? null : value;
  return { ...row, p90: reported("p90", p90), p95: reported("p95", p95), p99: reported("p99", p99) };
}

/** Analyses a run. The same facts, samples and seed give the same result. Throws an AnalysisError for invalid samples. */
export function analyse(facts: RunFacts, samples: Samples, options: AnalyseOptions = analyseDefaults): Analysis {
  return analyseGathered(facts, gatherCalls(facts, samples), options);
}

interface SingleArms {
  readonly summaries: readonly Summary[];
  readonly distributions: readonly Distribution[];
  readonly slowCalls: readonly Warning[];
  readonly meansOf: ReadonlyMap<string, ValuesByRound>;
  readonly turnsOf: ReadonlyMap<string, ValuesByTurn>;
  /** The peaks of each arm's server by block, in bytes. */
  readonly peaksOf: ReadonlyMap<string, ValuesByRound>;
}

function singleArms(
  facts: RunFacts,
  { tasks, rowValues }: GatheredCalls,
  { voidCells, lateTails }: JudgedLoads,
): SingleArms {
  const roundIds = roundsOf(facts, tasks);
  const summaries: Summary[] = [];
  const distributions: Distribution[] = [];
  const slowCalls: Warning[] = [];
  const meansOf = new Map<string, ValuesByRound>();
  const turnsOf = new Map<string, ValuesByTurn>();
  const peaksOf = new Map<string, ValuesByRound>();
  const blocksOf = Map.groupBy(facts.blocks, (block) => block.armId);
  const isVoid = new Set(voidCells.map(({ armId }) => armId));
  const lateOf = new Map(lateTails.map(({ armId, percentiles }) => [armId, percentiles]));
  const firstCallsOf = Map.groupBy(facts.firstCalls, (first) => first.armId);
  for (const [index, arm] of tasks.entries()) {
    const { armId } = arm;
    // An arm without a latency is not compared.
    const blocks = isVoid.has(armId) ? [] : arm.blocks;
    const means = blockMeans(roundIds, blocks);
    meansOf.set(armId, means);
    turnsOf.set(armId, meansByTurn(roundIds, blocks));
    if (blocks.length > 0) {
      const rounds = [...Map.groupBy(blocks, ({ round }) => round).values()].map(sortedLatencies);
      const sorted = merged(rounds);
      const latency = summarise({ armId, metric: "latencyMs", sorted, means, rounds });
      summaries.push(withoutTail(latency, lateOf.get(armId) ?? []));
      distributions.push(distributionOf(latency, sorted));
      slowCalls.push(...fewSlowCalls(facts.arms[index] as Arm, sorted));
    }
    const memory = (facts.memory ?? []).filter(({ armIds }) => armIds.includes(armId));
    const ofBlocks = blockMetrics(armId, roundIds, blocksOf.get(armId) ?? [], firstCallsOf.get(armId) ?? [], memory);
    const isReported = reportableIn(facts.arms[index], isVoid.has(armId));
    const ofCalls = rowMetrics(armId, rowValues[index] ?? [], roundIds);
    const others = [...ofBlocks, ...ofCalls, ...pacedMetrics(arm, roundIds)];
    for (const metric of others) {
      if (isReported(metric)) summaries.push(summarise(metric));
      if (metric.metric === "serverPeakBytes") peaksOf.set(armId, metric.means);
    }
  }
  return { summaries, distributions, slowCalls, meansOf, turnsOf, peaksOf };
}

function overDistance(
  facts: RunFacts,
  { tasks, traffic }: GatheredCalls,
  { meansOf, summaries }: SingleArms,
): Pick<Analysis, "roundTrips" | "crossovers" | "transfers"> {
  const distanceOf = distanceOfArm(facts.environment);
  const lines = distanceLines(facts.arms, meansOf, distanceOf);
  const firstCallLines = distanceLines(
    facts.arms,
    firstCallsByArm(facts, roundsOf(facts, tasks)),
    distanceOf,
    "first call",
  );
  const exchangeOf = exchangeOfArm(facts, traffic);
  return {
    roundTrips: lines.length === 0 ? [] : roundTrips([...lines, ...firstCallLines], exchangeOf),
    crossovers: crossovers(lines),
    transfers: transfers(facts.arms, summaries, exchangeOf, distanceOf),
  };
}

/** Completed rounds, drift and settling. The position of blocks in their rounds is only known for Roundtrip's own runs. */
function qualityOf(
  facts: RunFacts,
  tasks: readonly ArmTasks[],
  { voidCells }: JudgedLoads,
  seed: number,
): Pick<Analysis, "rounds" | "drifts" | "unsettled"> {
  const roundIds = roundsOf(facts, tasks);
  const isForeign = facts.arms.some(({ study }) => study === foreignStudy);
  const isVoid = new Set(voidCells.map(({ armId }) => armId));
  const keptTasks = tasks.map((arm) => (isVoid.has(arm.armId) ? { ...arm, blocks: [] } : arm));
  return {
    rounds: { planned: facts.roundsPlanned, complete: facts.roundsDone, begun: roundIds.length },
    drifts: isForeign ? [] : roundDrifts(facts.arms, keptTasks, roundIds, seed),
    unsettled: unsettledStacks(facts),
  };
}

/** Round trips of a task on open connections. Without arms that open some or have limits; none if calls were made elsewhere or over a far link. */
function roundTripsOfTasks(facts: RunFacts, { traffic }: GatheredCalls): ReadonlyMap<string, number> {
  const { arms, environment } = facts;
  const isForeign = arms.some(({ study }) => study === foreignStudy);
  if (isForeign || isImported(facts) || environment.link.rttMs >= 1) return new Map();
  const exchangeOf = exchangeOfArm(facts, traffic);
  return new Map(
    arms.flatMap((arm) => {
      const exchange = exchangeOf(arm);
      if (exchange === null || exchange.opensConnection) return [];
      const { least, most } = predictedRoundTrips(exchange, [1, 100]);
      return least === most && Number.isInteger(least) ? [[arm.id, least * callsInSequence(arm)] as const] : [];
    }),
  );
}

function operationsOfMixes(
  { tasks, operations }: GatheredCalls,
  { voidCells, lateTails }: JudgedLoads,
): readonly OperationFigures[] {
  const isVoid = new Set(voidCells.map(({ armId }) => armId));
  const lateOf = new Map(lateTails.map(({ armId, percentiles }) => [armId, percentiles]));
  return tasks.flatMap(({ armId }, arm) =>
    operationFigures(armId, operations[arm] ?? [], isVoid.has(armId) ? undefined : (lateOf.get(armId) ?? [])),
  );
}

/** The strength of a claim about an arm whose samples have a pattern, so that its calls are not alike. */
const cautiousStrength: Partial<Record<Claim["strength"], "likely" | "open">> = { clear: "likely", equal: "open" };

function cautious(patterns: readonly Warning[], measured: Parameters<typeof claimsOf>[0]): readonly Claim[] {
  const concerned = new Set(patterns.map(({ armId }) => armId));
  return claimsOf(measured).map((claim) => {
    const strength = claim.armIds.some((armId) => concerned.has(armId)) ? cautiousStrength[claim.strength] : undefined;
    return strength === undefined ? claim : { ...claim, strength };
  });
}

export type ArmFigures = Pick<Analysis, "summaries" | "voidCells">;

/** Like {@link analyseGathered}, but only the figures of each arm: comparisons, claims and warnings take at least half of the time. */
export function summariseArms(facts: RunFacts, calls: GatheredCalls): ArmFigures {
  const judged = judgedLoads(facts, calls.tasks);
  const { summaries } = singleArms(facts, calls, judged);
  return { summaries, voidCells: judged.voidCells };
}

/** The tasks of a run that one caller measured, with their demands. */
export function tasksOfRun(facts: RunFacts, calls: GatheredCalls): readonly MeasuredTask[] {
  const { arms, blocks, capacities = [], environment } = facts;
  const { summaries } = summariseArms(facts, calls);
  const usesTls = environment.tls ?? false;
  return measuredTasks({ arms, summaries, garbage: garbageByArm(blocks), capacities, usesTls });
}

/** Like {@link analyse}, from gathered calls of a run that is read in parts. */
export function analyseGathered(
  facts: RunFacts,
  calls: GatheredCalls,
  { seed, pairs }: AnalyseOptions = analyseDefaults,
): Analysis {
  const { tasks, arrivals } = calls;
  const { arms, capacities = [] } = facts;
  const judged = judgedLoads(facts, tasks);
  const { voidCells, lateTails } = judged;
  const single = singleArms(facts, calls, judged);
  const { summaries, meansOf } = single;
  const { comparisons, warnings: unpaired } = comparePairs(pairs(arms), single.turnsOf, seed);
  const measured = {
    arms,
    summaries,
    comparisons,
    memory: memoryRatios(arms, single.peaksOf, seed),
    breakEvens: breakEvens(arms, meansOf),
    ...overDistance(facts, calls, single),
    garbage: garbageByArm(facts.blocks),
    loadSeries: loadSeries({ arms, summaries, voidCells, lateTails, tasks, capacities }, arrivals),
    carriedLoads: carriedLoads(facts, tasks, voidCells),
  };
  const results = { ...measured, ...anomalies(facts, measured) };
  const quality = qualityOf(facts, tasks, judged, seed);
  const use = machineUse(facts);
  const patterns = samplePatterns(arms.some(({ study }) => study === foreignStudy) ? tasks : []);
  return {
    ...results,
    distributions: single.distributions,
    ...quality,
    machineUse: use,
    voidCells,
    lateTails,
    callFailures: callFailures(tasks),
    operations: operationsOfMixes(calls, judged),
    claims: cautious(patterns, { ...results, roundTripsOfTasks: roundTripsOfTasks(facts, calls) }),
    warnings: withoutRepeats([
      ...recordWarnings(facts),
      ...warningsOf(facts, tasks, quality),
      ...loadWarnings(facts, judged),
      ...busyWarnings(use),
      ...standstillWarnings(facts),
      ...single.slowCalls,
      ...patterns,
      ...unpaired,
      ...notComparable(arms, comparisons),
      ...unexpectedConnections(facts, anomaliesOfConnections(results.anomalies)),
      ...anomalyWarnings(results.anomalies),
    ]),
  };
}
