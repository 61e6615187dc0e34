// Measures two versions in the same rounds until the gate decides. A slowdown counts only if fresh processes in fresh directories show it too.
import { type ComparedMetric, gateRoundsOf, gatherCalls, joinCalls, type GatheredCalls } from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import {
  confirm,
  confirmationLooks,
  confirmationRounds,
  looksUpTo,
  roundLimits,
  type Confirmation,
  type GateJudgement,
  type GateRounds,
} from "@roundtrip/analysis/gate";
import {
  isLoss,
  measureRun,
  type MeasureOptions,
  type Progress,
  type SideBySideRun,
  type Version,
  type RoundSeen,
} from "@roundtrip/runner";
import { join } from "node:path";
import { Judging, shownProgress, type JudgedRounds } from "./judging.ts";

interface GateFeed {
  readonly metrics: readonly ComparedMetric[];
  /** Called after each round. Returns whether to run another. */
  readonly afterRound: (rounds: GateRounds) => "go on" | "enough";
}

const nothing: GateRounds = { cells: [], values: [] };

class GateOfRounds {
  readonly #feed: GateFeed;
  readonly #parts: GatheredCalls[] = [];
  rounds: GateRounds = nothing;

  constructor(feed: GateFeed) {
    this.#feed = feed;
  }

  /** Adds a round. Returns whether to run another. */
  add({ facts, calls }: RoundSeen): "go on" | "enough" {
    const { metrics, afterRound } = this.#feed;
    this.#parts.push(gatherCalls(facts, calls));
    this.rounds = gateRoundsOf(facts, this.calls, metrics);
    return afterRound(this.rounds);
  }

  /** Requires at least one round. */
  get calls(): GatheredCalls {
    return joinCalls(this.#parts);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }
}

/** More lost rounds mean a fault of a version rather than of the machine. */
const mostLostRounds = 3;

export interface VersionsToMeasure extends JudgedRounds {
  readonly options: Omit<MeasureOptions, "sideBySide" | "rounds">;
  readonly versions: readonly Version[];
  readonly freshCopies: () => Promise<readonly Version[]>;
  readonly metrics: readonly ComparedMetric[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly onRecheck: (judgement: GateJudgement, rounds: number) => void;
}

export interface MeasuredVersions {
  readonly facts: RunFacts;
  readonly judgement: GateJudgement;
  readonly confirmation: Confirmation | null;
  readonly gate: GateOfRounds;
  /** Whether time ended the rounds while the verdict was open. */
  readonly isOutOfTime: boolean;
  /** Reasons against PASS, whatever the figures are, as clauses. */
  readonly doubts: readonly string[];
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

/** Runs rounds. An early end after the first round is a doubt instead of an error. */
async function rounds(
  { options, signal, onProgress }: VersionsToMeasure,
  how: Pick<MeasureOptions, "rounds" | "directory" | "seed" | "budgetMs"> &
    Pick<SideBySideRun, "versions" | "measures" | "isSettled">,
  gate: GateOfRounds,
): Promise<{ readonly facts: RunFacts; readonly doubts: readonly string[] }> {
  const { versions, measures, isSettled, ...changes } = how;
  let last: RunFacts | undefined;
  const sideBySide: SideBySideRun = {
    versions,
    measures,
    isSettled,
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

interface Rechecked {
  readonly confirmation: Confirmation | null;
  /** Reasons for not giving a verdict, as clauses. */
  readonly doubts: readonly string[];
}

/**
 * Runs fresh rounds of the stacks with a slowdown, with all their tasks: these share processes, so fewer tasks would change the conditions. Does not
 * reject when servers fail, so that the slowdown is still reported.
 */
async function recheck(what: VersionsToMeasure, judgement: GateJudgement): Promise<Rechecked> {
  const { options, settings, metrics, signal } = what;
  const worse = judgement.cells.flatMap(({ cell, state }) => (state === "worse" ? [cell] : []));
  const wanted = new Set(worse.map(({ id }) => id));
  const stacks = new Set(worse.map(({ stack }) => stack));
  const count = confirmationRounds(judgement, settings);
  const confirming = { ...settings, looks: looksUpTo(count) };
  what.onRecheck(judgement, count);
  const freshOf = ({ cells, values }: GateRounds): GateRounds => {
    const columns = cells.flatMap(({ id }, column) => (wanted.has(id) ? [column] : []));
    const pick = <T>(row: readonly T[]): readonly T[] => columns.flatMap((column) => row.slice(column, column + 1));
    return { cells: pick(cells), values: values.map(pick) };
  };
  let last: Confirmation | null = null;
  const looks = confirmationLooks(count);
  const afterRound = (seen: GateRounds): "go on" | "enough" => {
    if (!looks.includes(seen.values.length)) return "go on";
    const fresh = freshOf(seen);
    if (fresh.cells.length > 0) last = confirm(fresh, confirming, count);
    return last?.isConfirmed === true ? "enough" : "go on";
  };
  const gate = new GateOfRounds({ metrics, afterRound });
  const fresh = async (versions: readonly Version[]) =>
    rounds(
      what,
      {
        rounds: count,
        directory: join(options.directory, "confirmation"),
        // Orders and arrivals differ too.
        seed: (settings.seed + 1) % 2 ** 31,
        // Twice the budget, so that a slowdown is not left undecided for lack of time.
        budgetMs: 2 * options.budgetMs,
        versions,
        measures: ({ stack }) => stacks.has(stack),
        isSettled: () => false,
      },
      gate,
    );
  try {
    const { doubts } = await fresh(await what.freshCopies());
    if (signal.aborted) return { confirmation: null, doubts: ["it was interrupted"] };
    return isConclusive(last, count) ? { confirmation: last, doubts: [] } : { confirmation: null, doubts };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return { confirmation: null, doubts: [signal.aborted ? "it was interrupted" : thrown.message] };
  }
}

const nothingToConfirm: Rechecked = { confirmation: null, doubts: [] };

/** Whether fresh rounds confirmed the slowdown, or all of them ran without doing so. */
function isConclusive(confirmation: Confirmation | null, planned: number): boolean {
  return confirmation !== null && (confirmation.isConfirmed || confirmation.rounds === planned);
}

/** Measures, judges, and rechecks a slowdown. Rejects for a run that cannot begin or whose answers differ; undefined if interrupted in round 1. */
export async function measureVersions(what: VersionsToMeasure): Promise<MeasuredVersions | undefined> {
  const { options, versions, metrics, signal, typedRounds } = what;
  const { directory, seed, budgetMs } = options;
  const judging = new Judging(what);
  const gate = new GateOfRounds({ metrics, afterRound: (seen) => judging.afterRound(seen) });
  const onProgress = (state: Progress): void => what.onProgress(shownProgress(state, what, judging.planned));
  const { facts, doubts } = await rounds(
    { ...what, onProgress },
    {
      rounds: typedRounds ?? roundLimits.most,
      directory,
      seed,
      budgetMs,
      versions,
      measures: () => true,
      isSettled: (arm) => judging.isSettled(arm),
    },
    gate,
  );
  if (gate.isEmpty) return undefined;
  const judgement = judging.atEnd(gate.rounds);
  const isFound = judgement.state === "fail" && !signal.aborted;
  const { confirmation, doubts: later } = isFound ? await recheck(what, judgement) : nothingToConfirm;
  const { isOutOfTime: isLate } = judging;
  return { facts, judgement, confirmation, gate, isOutOfTime: isLate, doubts: [...doubts, ...later] };
}
