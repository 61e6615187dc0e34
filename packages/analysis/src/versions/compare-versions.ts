// Compares two versions that were measured in the same rounds: their cells, the gate's verdict, and what the verdict rests on.
import { versionFactor, type Arm, type RunFacts } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import { summariseArms } from "../analyse/analyse.ts";
import { durationText, listed, counted } from "../basics/words.ts";
import type { Confirmation } from "../gate/confirm.ts";
import type { GateJudgement } from "../gate/gate-judgement.ts";
import type { GateSettings } from "../gate/gate-settings.ts";
import type { GatheredCalls } from "../metrics/gathered-calls.ts";
import type { Metric } from "../metrics/summarise.ts";
import { exactChanges } from "./exact-changes.ts";
import { taskLatencies } from "./task-latencies.ts";
import {
  comparedMemory,
  versionFigures,
  type ComparedCell,
  type ComparedLatency,
  type ComparedVersion,
  type Recheck,
  type PairedComparison,
  type FiguresOfArm,
  type VersionFigures,
} from "./version-comparison.ts";
import {
  cellId,
  comparedArm,
  factorsBesideVersion,
  versionlessId,
  versionPairs,
  type VersionPair,
} from "./version-pairs.ts";
import { busyWarnings, machineUse } from "../warnings/machine-use.ts";
import { recordWarnings } from "../warnings/record-warnings.ts";
import { warmUpWarnings } from "../warnings/warnings-of.ts";

/** At most this share of a task's time is server CPU, and at least this much of it is not. */
const mostly = { cpuShare: 0.25, waitingMs: 1 } as const;

/** By medians: a few slow calls raise the mean of what computes all the time. `gRPC find (0.3 ms of 44 ms)`, for a server that mostly waits; undefined for another. */
function waitingText(cpu: ComparedCell, cells: readonly ComparedCell[]): string | undefined {
  const arm = cpu.id.slice(0, -cpu.metric.length);
  const latency = cells.find(({ id, metric }) => metric === "latencyMs" && id === arm + metric);
  const [cpuMs, taskMs] = [cpu.head.p50, latency?.head.p50 ?? 0];
  if (cpuMs > mostly.cpuShare * taskMs || taskMs - cpuMs < mostly.waitingMs) return undefined;
  return `${cpu.title} ${cpu.task} (${durationText(cpuMs)} of ${durationText(taskMs)})`;
}

/** A warning of arms whose server CPU has grown by more than this share and that mostly wait; none without such arms. */
function waitingWarning(cells: readonly ComparedCell[], detect: number): readonly Warning[] {
  const grown = cells.filter(
    ({ metric, state, ratio }) => metric === "serverCpuMsPerTask" && state !== "not-worse" && ratio > 1 + detect,
  );
  const texts = grown.flatMap((cell) => waitingText(cell, cells) ?? []);
  if (texts.length === 0) return [];
  const message = `waiting costs server CPU too (timers, wake-ups, cold caches), so a longer wait alone can raise it: ${listed(texts)} mostly wait${texts.length === 1 ? "s" : ""}`;
  return [{ code: "mostly-waits", message }];
}

export interface CompareVersionsInput {
  readonly base: ComparedVersion;
  readonly head: ComparedVersion;
  /** Arms with the factor `version`. */
  readonly facts: RunFacts;
  readonly calls: GatheredCalls;
  readonly judgement: GateJudgement;
  readonly settings: Pick<GateSettings, "tolerate" | "detect" | "alpha" | "passAlpha">;
  /** The rerun of cells that were worse; null without one. An unconfirmed FAIL does not count. */
  readonly confirmation: Confirmation | null;
  /** Whether time ended the rounds while the verdict was open. */
  readonly isOutOfTime: boolean;
  /** Reasons against a PASS that do not depend on the figures (lost rounds, an interruption), as clauses without a full stop. */
  readonly doubts: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Null for a bound without enough rounds, and for a figure that cannot be computed. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function recheckOf(confirmation: Confirmation): Recheck {
  const { isConfirmed, rounds, cells } = confirmation;
  const described = cells.map(({ cell, ratio, isConfirmed: isSeen }) => ({
    id: cell.id,
    isConfirmed: isSeen,
    ratio: known(ratio),
  }));
  return { isConfirmed, rounds, cells: described };
}

/** Why rounds ended before all cells were decided. Lost rounds are not repeated. */
function endOf({ judgement: { rounds }, isOutOfTime, facts }: CompareVersionsInput): string {
  const lost = facts.events.filter(({ kind }) => kind === "round-lost").length;
  const lostText = lost === 0 ? "" : `, and ${lost} ${lost === 1 ? "was" : "were"} lost`;
  const done = counted(rounds, "round");
  return isOutOfTime ? `the time was over after ${done}${lostText}` : `all ${done} are over${lostText}`;
}

function verdictOf(input: CompareVersionsInput): Pick<PairedComparison, "verdict" | "reason"> {
  const { judgement, confirmation, doubts } = input;
  if (judgement.state === "fail") {
    if (confirmation?.isConfirmed === true) return { verdict: "fail", reason: "" };
    const why =
      confirmation === null
        ? listed(doubts.length > 0 ? doubts : ["there was no time for that"])
        : `${counted(confirmation.rounds, "fresh round")} did not show it again`;
    return { verdict: "inconclusive", reason: `a loss was found and not confirmed: ${why}` };
  }
  if (doubts.length > 0) return { verdict: "inconclusive", reason: listed(doubts) };
  if (judgement.state === "pass") return { verdict: "pass", reason: "" };
  const open = judgement.cells.filter(({ state }) => state === "undecided").length;
  const reason = `${counted(open, "metric")} of ${judgement.cells.length} could not be decided: ${endOf(input)}`;
  return { verdict: "inconclusive", reason };
}

/** Warns of judged metrics without figures: they are undecided, and missing from tables. */
function noFiguresWarning(ids: readonly string[]): readonly Warning[] {
  if (ids.length === 0) return [];
  const message = `${counted(ids.length, "metric")} could not be measured, as loads were not kept or rounds were lost: ${listed(ids)}`;
  return [{ code: "no-figures", message }];
}

type Judged = GateJudgement["cells"][number];

function comparedCell(
  judged: Judged,
  head: Arm,
  [base, after]: Figures,
  isConfirmed: boolean,
): readonly ComparedCell[] {
  const { ratio, low, high, pseudoMedian, atMost, smallestDetectable, rounds } = judged;
  // No ratio before a round has a value of the cell.
  if (base === undefined || after === undefined || !Number.isFinite(ratio)) return [];
  const isUnconfirmed = judged.state === "worse" && !isConfirmed;
  return [
    {
      id: judged.cell.id,
      ...comparedArm(head, factorsBesideVersion(head)),
      metric: judged.cell.metric as Metric,
      base,
      head: after,
      rounds: { base: rounds, head: rounds },
      ratio,
      low: low > 0 ? low : null,
      high: known(high),
      atMost: known(atMost),
      pseudoMedian,
      state: isUnconfirmed ? "undecided" : judged.better ? "better" : judged.state,
      smallestDetectable: known(smallestDetectable),
    },
  ];
}

type Figures = readonly [base: VersionFigures | undefined, head: VersionFigures | undefined];

function comparedLatencies(
  { facts, calls, settings }: CompareVersionsInput,
  pairs: readonly VersionPair[],
  figures: FiguresOfArm,
): readonly ComparedLatency[] {
  const both = pairs.flatMap(({ id, base, head }) => {
    const [ofBase, ofHead] = [figures(base.id, "latencyMs"), figures(head.id, "latencyMs")];
    if (ofBase === undefined || ofHead === undefined) return [];
    const arm = comparedArm(head, factorsBesideVersion(head));
    return [{ id, arm, base: ofBase, head: ofHead, armIds: { base: base.id, head: head.id } }];
  });
  const options = { pairedBy: facts.seed, tolerate: settings.tolerate };
  return taskLatencies(both, { base: calls, head: calls }, options);
}

function comparedCells(
  { judgement, confirmation }: CompareVersionsInput,
  pairs: readonly VersionPair[],
  figures: FiguresOfArm,
): readonly ComparedCell[] {
  const confirmed = new Set(
    (confirmation?.cells ?? []).flatMap(({ cell, isConfirmed }) => (isConfirmed ? [cell.id] : [])),
  );
  const judged = new Map(judgement.cells.map((cell) => [cell.cell.id, cell]));
  const metrics = [...new Set(judgement.cells.map(({ cell }) => cell.metric as Metric))];
  return pairs.flatMap(({ id, base, head }) =>
    metrics.flatMap((metric) => {
      const cell = judged.get(cellId(id, metric));
      if (cell === undefined) return [];
      const both = [figures(base.id, metric), figures(head.id, metric)] as const;
      return comparedCell(cell, head, both, confirmed.has(cell.cell.id));
    }),
  );
}

/** Makes a comparison. Leaves out cells without figures (for example, their load was not kept), and lists them in a warning. */
export function compareVersions(input: CompareVersionsInput): PairedComparison {
  const { facts, calls, judgement, settings, confirmation } = input;
  const pairs = versionPairs(facts.arms);
  const figures = versionFigures(summariseArms(facts, calls));
  const cells = comparedCells(input, pairs, figures);
  const described = new Set(cells.map(({ id }) => id));
  const withoutFigures = judgement.cells.flatMap(({ cell }) => (described.has(cell.id) ? [] : [cell.id]));
  const blocks = Map.groupBy(facts.blocks, ({ armId }) => armId);
  const { exact, warnings } = exactChanges(
    pairs.map(({ id, base, head }) => ({
      id,
      base: { arm: base, blocks: blocks.get(base.id) ?? [] },
      head: { arm: head, blocks: blocks.get(head.id) ?? [] },
    })),
  );
  const paired = new Set(pairs.flatMap(({ base, head }) => [base.id, head.id]));
  const alone = (version: string): readonly string[] =>
    facts.arms.filter(({ id, factors }) => factors[versionFactor] === version && !paired.has(id)).map(versionlessId);
  return {
    kind: "side-by-side",
    base: input.base,
    head: input.head,
    ...verdictOf(input),
    doubts: input.doubts,
    tolerate: settings.tolerate,
    detect: settings.detect,
    alpha: settings.alpha,
    passAlpha: settings.passAlpha,
    rounds: judgement.rounds,
    mostRounds: judgement.plannedRounds,
    durationMs: facts.durationMs,
    cells,
    latencies: comparedLatencies(input, pairs, figures),
    memory: comparedMemory(
      pairs.map(({ id, ...pair }) => {
        const arm = comparedArm(pair.head, factorsBesideVersion(pair.head));
        return { id, arm, base: pair.base.id, head: pair.head.id };
      }),
      figures,
      figures,
    ),
    exact,
    onlyBase: alone("base"),
    onlyHead: alone("head"),
    environmentDifferences: [],
    recheck: confirmation === null ? null : recheckOf(confirmation),
    warnings: [
      ...noFiguresWarning(withoutFigures),
      ...waitingWarning(cells, settings.detect),
      ...busyWarnings(machineUse(facts)),
      ...warmUpWarnings(facts),
      ...input.warnings,
      ...warnings,
      ...recordWarnings(facts),
    ],
  };
}
