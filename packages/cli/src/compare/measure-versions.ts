// Measures two versions side by side until a gate knows enough, and measures again what it found to be slower: a loss counts when fresh processes
// in fresh directories show it too.
import type { ComparedMetric, RunFacts } from "@roundtrip/analysis";
import {
  confirm,
  confirmationRounds,
  judge,
  type Confirmation,
  type GateJudgement,
  type GateSettings,
} from "@roundtrip/analysis/gate";
import {
  measureRun,
  RunnerError,
  type MeasureOptions,
  type Progress,
  type SideBySide,
  type Version,
} from "@roundtrip/runner";
import { join } from "node:path";
import { GateOfRounds } from "./gate-rounds.ts";

/** With more than this something is wrong with a version, and not with the machine. */
const mostLostRounds = 3;

export interface VersionsToMeasure {
  /** Without what is said here. */
  readonly options: Omit<MeasureOptions, "sideBySide" | "rounds">;
  readonly versions: readonly Version[];
  /** The same versions in other places. */
  readonly afresh: () => Promise<readonly Version[]>;
  readonly settings: GateSettings;
  readonly metrics: readonly ComparedMetric[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly onLook: (judgement: GateJudgement) => void;
  /** Told before what was found is measured again. */
  readonly onRecheck: (judgement: GateJudgement, rounds: number) => void;
}

export interface MeasuredVersions {
  readonly facts: RunFacts;
  readonly judgement: GateJudgement;
  readonly confirmation: Confirmation | null;
  readonly gate: GateOfRounds;
  /** Why this must not pass, whatever the figures say: clauses. */
  readonly doubts: readonly string[];
}

/** Failures in the middle: what was measured before is worth a verdict, which is not a pass. */
function isLoss(thrown: unknown): thrown is RunnerError {
  return thrown instanceof RunnerError && ["process-died", "no-answer", "link-lost"].includes(thrown.code);
}

function failedCalls({ blocks, arms }: RunFacts): readonly string[] {
  const version = new Map(arms.map(({ id, factors }) => [id, String(factors["version"])]));
  const failing = Map.groupBy(
    blocks.filter((block) => block.failedCalls > 0),
    ({ armId }) => version.get(armId) ?? "",
  );
  return [...failing].map(([name, some]) => {
    const failed = some.reduce((sum, block) => sum + block.failedCalls, 0);
    return `${failed} ${failed === 1 ? "call" : "calls"} of ${name} failed`;
  });
}

/** Runs rounds; what ends them early after the first is a doubt and no failure. */
async function rounds(
  { options, signal, onProgress }: VersionsToMeasure,
  how: Pick<MeasureOptions, "rounds" | "directory" | "seed" | "budgetMs"> & Pick<SideBySide, "versions" | "measures">,
  gate: GateOfRounds,
): Promise<{ readonly facts: RunFacts; readonly doubts: readonly string[] }> {
  const { versions, measures, ...changes } = how;
  let last: RunFacts | undefined;
  const sideBySide: SideBySide = {
    versions,
    measures,
    mostLostRounds,
    afterRound(seen) {
      last = seen.facts;
      return gate.add(seen);
    },
  };
  try {
    const facts = await measureRun({ ...options, ...changes, sideBySide }, signal, onProgress);
    const isInterrupted = facts.status === "interrupted";
    return { facts, doubts: [...(isInterrupted ? ["it was interrupted"] : []), ...failedCalls(facts)] };
  } catch (thrown) {
    if (!isLoss(thrown) || last === undefined) throw thrown;
    return { facts: last, doubts: [thrown.message, ...failedCalls(last)] };
  }
}

/** Fresh rounds of what was worse, and of nothing else. */
async function recheck(
  what: VersionsToMeasure,
  judgement: GateJudgement,
  facts: RunFacts,
): Promise<Confirmation | null> {
  const { options, settings, metrics, signal } = what;
  const wanted = new Set(judgement.cells.flatMap(({ cell, state }) => (state === "worse" ? [cell.id] : [])));
  const worse = judgement.cells.flatMap(({ cell, state }) => (state === "worse" ? [cell] : []));
  const arms = facts.arms.filter((arm) =>
    worse.some(
      ({ study, task, stack, variant }) =>
        arm.study === study && arm.task === task && arm.stack === stack && arm.variant === variant,
    ),
  );
  const count = confirmationRounds(judgement, settings);
  what.onRecheck(judgement, count);
  const versions = await what.afresh();
  const gate = new GateOfRounds({ settings: { ...settings, looks: [count] }, metrics, onLook: () => undefined });
  await rounds(
    what,
    {
      rounds: count,
      directory: join(options.directory, "confirmation"),
      // Orders and arrivals are others, too.
      seed: (settings.seed + 1) % 2 ** 31,
      // A loss that was found is not left undecided for want of time.
      budgetMs: 2 * options.budgetMs,
      versions,
      measures: ({ study, task, stack, variant, factors }) =>
        arms.some(
          (arm) =>
            arm.study === study &&
            arm.task === task &&
            arm.stack === stack &&
            arm.variant === variant &&
            Object.entries(factors).every(([name, value]) => arm.factors[name] === value),
        ),
    },
    gate,
  );
  const columns = gate.rounds.cells.flatMap(({ id }, column) => (wanted.has(id) ? [column] : []));
  if (signal.aborted || gate.rounds.values.length < count || columns.length === 0) return null;
  const pick = <T>(row: readonly T[]): readonly T[] => columns.flatMap((column) => row.slice(column, column + 1));
  return confirm({ cells: pick(gate.rounds.cells), values: gate.rounds.values.map(pick) }, settings);
}

/**
 * Measures, judges, and confirms a loss. Rejects as a run does that cannot begin, or whose arms do not answer alike; resolves to undefined when somebody
 * interrupts before a round was done.
 */
export async function measureVersions(what: VersionsToMeasure): Promise<MeasuredVersions | undefined> {
  const { options, versions, settings, metrics, signal, onLook } = what;
  const { directory, seed, budgetMs } = options;
  const gate = new GateOfRounds({ settings, metrics, onLook });
  const planned = settings.looks.at(-1) ?? 1;
  const how = { rounds: planned, directory, seed, budgetMs, versions, measures: () => true };
  const { facts, doubts } = await rounds(what, how, gate);
  if (gate.isEmpty) return undefined;
  const judgement = judge(gate.rounds, settings);
  const isFound = judgement.state === "fail" && !signal.aborted;
  const confirmation = isFound ? await recheck(what, judgement, facts) : null;
  return { facts, judgement, confirmation, gate, doubts };
}
