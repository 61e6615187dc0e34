// Measures two versions side by side until a gate knows enough, and measures again what it found to be slower: a loss counts when fresh processes
// in fresh directories show it too.
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
  settledStacks,
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
  /** After how many rounds it looks. */
  readonly looks: readonly number[];
  /** Asked at each look, with all rounds so far. */
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

  /** Takes a round. Gives back whether there is to be another. */
  add({ facts, calls }: RoundSeen): "go on" | "enough" {
    const { looks, metrics, look } = this.#feed;
    this.#parts.push(gatherCalls(facts, calls));
    this.rounds = gateRoundsOf(facts, this.calls, metrics);
    return looks.includes(this.rounds.values.length) ? look(this.rounds) : "go on";
  }

  /** At least one round must have been added. */
  get calls(): GatheredCalls {
    return joinCalls(this.#parts);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }
}

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
  /** Called before a slowdown is measured again. */
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

/** What became of a loss that was measured again. */
interface Rechecked {
  readonly confirmation: Confirmation | null;
  /** Why there is no verdict: clauses. */
  readonly doubts: readonly string[];
}

/**
 * Fresh rounds of the stacks that have what was worse. All of their tasks, since those share processes: with one alone they would be measured in other ones. Never
 * rejects for what becomes of the servers: that a loss was found is worth saying, whatever ends its confirmation.
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
        // Orders and arrivals are others, too.
        seed: (settings.seed + 1) % 2 ** 31,
        // A loss that was found is not left undecided for want of time.
        budgetMs: 2 * options.budgetMs,
        versions,
        measures: ({ stack }) => stacks.has(stack),
        isSettled: () => false,
      },
      gate,
    );
  try {
    const { doubts } = await fresh(await what.afresh());
    if (signal.aborted) return { confirmation: null, doubts: ["it was interrupted"] };
    return isConclusive(last, count) ? { confirmation: last, doubts: [] } : { confirmation: null, doubts };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return { confirmation: null, doubts: [signal.aborted ? "it was interrupted" : thrown.message] };
  }
}

const nothingToConfirm: Rechecked = { confirmation: null, doubts: [] };

/** Whether fresh rounds showed a loss again, or were all there and did not. */
function isConclusive(confirmation: Confirmation | null, planned: number): boolean {
  return confirmation !== null && (confirmation.isConfirmed || confirmation.rounds === planned);
}

/**
 * Measures, judges, and confirms a loss. Rejects as a run does that cannot begin, or whose arms do not answer alike; resolves to undefined when somebody
 * interrupts before a round was done.
 */
export async function measureVersions(what: VersionsToMeasure): Promise<MeasuredVersions | undefined> {
  const { options, versions, settings, metrics, signal, onLook } = what;
  const { directory, seed, budgetMs } = options;
  let settled: ReadonlySet<string> = new Set();
  const look = (seen: GateRounds): "go on" | "enough" => {
    const judgement = judge(seen, settings);
    settled = settledStacks(judgement.cells);
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
