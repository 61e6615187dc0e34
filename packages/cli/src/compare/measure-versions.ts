// Measures two versions in the same rounds until the gate decides. A slowdown counts only if fresh processes in fresh directories show it too.
import {
  type ComparedMetric,
  type RunFacts,
  gateRoundsOf,
  gatherCalls,
  joinCalls,
  type GatheredCalls,
} from "@roundtrip/analysis";
import {
  confirm,
  confirmationLooks,
  confirmationRounds,
  judge,
  passedStacks,
  type Confirmation,
  type GateJudgement,
  type GateRounds,
  type GateSettings,
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

interface GateFeed {
  readonly metrics: readonly ComparedMetric[];
  readonly looks: readonly number[];
  readonly look: (rounds: GateRounds) => "go on" | "enough";
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
    const { looks, metrics, look } = this.#feed;
    this.#parts.push(gatherCalls(facts, calls));
    this.rounds = gateRoundsOf(facts, this.calls, metrics);
    return looks.includes(this.rounds.values.length) ? look(this.rounds) : "go on";
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

export interface VersionsToMeasure {
  readonly options: Omit<MeasureOptions, "sideBySide" | "rounds">;
  readonly versions: readonly Version[];
  readonly freshCopies: () => Promise<readonly Version[]>;
  readonly settings: GateSettings;
  readonly metrics: readonly ComparedMetric[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly onLook: (judgement: GateJudgement) => void;
  readonly onRecheck: (judgement: GateJudgement, rounds: number) => void;
}

export interface MeasuredVersions {
  readonly facts: RunFacts;
  readonly judgement: GateJudgement;
  readonly confirmation: Confirmation | null;
  readonly gate: GateOfRounds;
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
  what.onRecheck(judgement, count);
  const freshOf = ({ cells, values }: GateRounds): GateRounds => {
    const columns = cells.flatMap(({ id }, column) => (wanted.has(id) ? [column] : []));
    const pick = <T>(row: readonly T[]): readonly T[] => columns.flatMap((column) => row.slice(column, column + 1));
    return { cells: pick(cells), values: values.map(pick) };
  };
  let last: Confirmation | null = null;
  const look = (seen: GateRounds): "go on" | "enough" => {
    const fresh = freshOf(seen);
    if (fresh.cells.length > 0) last = confirm(fresh, settings, count);
    return last?.isConfirmed === true ? "enough" : "go on";
  };
  const gate = new GateOfRounds({ metrics, looks: confirmationLooks(count), look });
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
  const { options, versions, settings, metrics, signal, onLook } = what;
  const { directory, seed, budgetMs } = options;
  let settled: ReadonlySet<string> = new Set();
  const look = (seen: GateRounds): "go on" | "enough" => {
    const judgement = judge(seen, settings);
    settled = passedStacks(judgement.cells);
    onLook(judgement);
    return judgement.state === "undecided" ? "go on" : "enough";
  };
  const gate = new GateOfRounds({ metrics, looks: settings.looks, look });
  const planned = settings.looks.at(-1) ?? 1;
  const all = { measures: () => true, isSettled: ({ stack }: { readonly stack: string }) => settled.has(stack) };
  const how = { rounds: planned, directory, seed, budgetMs, versions, ...all };
  const { facts, doubts } = await rounds(what, how, gate);
  if (gate.isEmpty) return undefined;
  const judgement = judge(gate.rounds, settings);
  const isFound = judgement.state === "fail" && !signal.aborted;
  const { confirmation, doubts: later } = isFound ? await recheck(what, judgement) : nothingToConfirm;
  return { facts, judgement, confirmation, gate, doubts: [...doubts, ...later] };
}
