// Plans a run once, before its first block: which cells, how many calls of each, and how many rounds. All rounds then measure the same, and a run ends
// for lack of time only between rounds.
import type { LeftOutCell, LeftOutCells } from "@roundtrip/runs";
import { RunnerError } from "../basics/runner-error.ts";
import { companyOf } from "./concurrent-pairs.ts";
import { blocksFor, tasksAtShare } from "./schedule.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

interface RunSize {
  readonly budgetMs: number;
  /** The rounds to make unless others fit better. */
  readonly rounds: number;
  readonly typed: Typed;
}

export interface RunTimeOptions extends RunSize {
  /** Whether the budget ends a run without a plan, as it does when versions are compared. */
  readonly alwaysEnds: boolean;
  readonly elapsedMs: () => number;
}

/** A round may begin if it is expected to end this little late: a missing round costs more than a few seconds that nobody asked to save. */
const tolerance = { typed: 0.02, usual: 0.06 };

export class RunTime {
  readonly options: RunTimeOptions;
  /** Made before the first block; undefined if the times of calls are not known by then: everything is measured in each round. */
  plan: RunPlan | undefined;
  #secondRoundMs = 0;
  #isOver = false;

  constructor(options: RunTimeOptions) {
    this.options = options;
  }

  get rounds(): number {
    return this.plan?.rounds ?? this.options.rounds;
  }

  /** The limit for which rounds are missing; undefined if none are. */
  get limitedToMs(): number | undefined {
    return this.#isOver || this.rounds < this.options.rounds ? this.options.budgetMs : undefined;
  }

  /** Whether to begin this round: the second is expected to last as long as planned, others as long as those after the first did on average. */
  begins(round: number): boolean {
    const elapsedMs = this.options.elapsedMs();
    if (round === 1) this.#secondRoundMs = elapsedMs;
    const expectedMs = round <= 1 ? (this.plan?.roundMs ?? elapsedMs) : (elapsedMs - this.#secondRoundMs) / (round - 1);
    if (round >= this.rounds) return false;
    this.#isOver = round > 0 && elapsedMs + expectedMs > this.#limitMs;
    return !this.#isOver;
  }

  /** Throws `budget-too-small` if the first round of a run without a plan exceeds a typed budget. @param done share of its blocks that are done */
  requireTime(round: number, done: number): void {
    const { budgetMs, typed, elapsedMs } = this.options;
    if (round > 0 || this.plan !== undefined || !typed.has("budget") || elapsedMs() <= budgetMs) return;
    // Before the first blocks: they take as long as the start.
    throw tooSmall(this.options, 1, elapsedMs() / Math.max(done, 0.5));
  }

  get #limitMs(): number {
    const { typed, budgetMs, alwaysEnds } = this.options;
    const isLimited = typed.has("budget") || alwaysEnds || (this.plan?.isInTime === true && !typed.has("rounds"));
    return isLimited ? (1 + (typed.has("budget") ? tolerance.typed : tolerance.usual)) * budgetMs : Infinity;
  }
}

/** The part of a run's size that the user has typed: it is done, unless a typed budget contradicts it. */
export type Typed = ReadonlySet<"budget" | "rounds" | "calls">;

export interface PlanRequest extends RunSize {
  readonly arms: readonly PlannedArm[];
  /** How long a task of an arm takes, from the first round's warm-up. */
  readonly taskMs: (arm: PlannedArm) => number;
  readonly blockTime: BlockTime;
  /** What the first round took so far, by phase. */
  readonly spent: RoundLog["clock"]["spent"];
  /** The time of the run so far, including the first round's. */
  readonly elapsedMs: number;
}

/** What each round measures. */
interface Effort {
  /** Cells up to this priority are measured. */
  readonly lowestPriority: number;
  /** The share of each cell's calls, above 0 and up to 1. */
  readonly share: number;
}

export interface RunPlan extends Effort {
  readonly rounds: number;
  /** The expected duration of a later round. */
  readonly roundMs: number;
  /** Whether the rounds are expected to end within the budget. */
  readonly isInTime: boolean;
  /** Undefined if everything is measured with all calls. */
  readonly leftOut: LeftOutCells | undefined;
}

/** Rounds vary, and the slowest must still fit. */
const margin = 0.03;

/** The share of the first round's start and verification that a later one needs: files are in memory by then. They were 0.5 to 0.8, and 0.3 to 0.5. */
const later = { start: 0.7, verification: 0.5 };

/** Ends processes and writes results. */
const endingMs = 100;

/** How long a block takes: a time of its own, and a multiple of what its tasks take with the clients of this project. */
export interface BlockTime {
  readonly besideMs: number;
  readonly timesTasks: number;
}

/**
 * The questions to the processes before and after each block of this project's clients take 3 to 5 ms. Its tasks take 0.8 to 1 of what they took in the
 * later half of the warm-up: code gets faster during the blocks.
 */
export const ownBlockTime: BlockTime = { besideMs: 4, timesTasks: 0.9 };

/** If cells are left out, further rounds are made in the remaining time, up to this many times the usual. */
const mostTimesRounds = 2;

/**
 * The smallest share of its calls with which a cell of this priority is measured: 1 always, 2 (a curve between such cells) if a few calls fit, and others
 * only beside nearly all calls of those before.
 */
function leastShare({ typed }: RunSize, lowestPriority: number): number {
  if (typed.has("calls")) return 1;
  if (lowestPriority <= 1) return 0.1;
  return lowestPriority === 2 ? 0.2 : 0.8;
}

/** The estimate of a budget for everything is that much longer. */
const spare = 1.1;

function sumOf<A>(values: readonly A[], valueOf: (value: A) => number): number {
  return values.reduce((sum, value) => sum + valueOf(value), 0);
}

/** How long the blocks of a round take: the sum of those that run alone, and the longest pair of those that run side by side. */
function blocksMs({ arms, taskMs, blockTime }: PlanRequest, { lowestPriority, share }: Effort): number {
  const armMs = (arm: PlannedArm): number => {
    const tasksMs = blockTime.timesTasks * tasksAtShare(arm, share) * taskMs(arm);
    return tasksMs + blocksFor(arm, share).length * (blockTime.besideMs + (arm.plan.idleMs ?? 0));
  };
  const measured = arms.filter(({ priority }) => priority <= lowestPriority);
  return sumOf([...Map.groupBy(measured, companyOf)], ([company, together]) => {
    if (company === "none") return sumOf(together, armMs);
    const pairs = Map.groupBy(together, ({ configuration }) => configuration.id);
    return Math.max(...[...pairs.values()].map((armsOfPair) => sumOf(armsOfPair, armMs)));
  });
}

/** What a later round takes up to its first block, and after its last. */
function besideMs({ arms, spent }: PlanRequest, { lowestPriority }: Effort): number {
  const kept = arms.filter(({ priority }) => priority <= lowestPriority).length / arms.length;
  const { startingMs, firstCallsMs, verificationMs, warmUpMs } = spent;
  return later.start * startingMs + firstCallsMs + later.verification * kept * verificationMs + warmUpMs + endingMs;
}

function roundMs(request: PlanRequest, effort: Effort): number {
  return besideMs(request, effort) + blocksMs(request, effort);
}

/** The whole run: the first round has already started. */
function runMs(request: PlanRequest, rounds: number, effort: Effort): number {
  return request.elapsedMs + rounds * roundMs(request, effort) - besideMs(request, effort) + endingMs;
}

/** The priorities of the cells, the first to be left out first. */
function prioritiesOf({ arms }: PlanRequest): readonly number[] {
  return [...new Set(arms.map(({ priority }) => priority))].toSorted((a, b) => b - a);
}

/** The best effort with which so many rounds end in time; undefined if none does. */
function effortFor(rounds: number, request: PlanRequest): Effort | undefined {
  for (const lowestPriority of prioritiesOf(request)) {
    for (let percent = 100; percent >= 100 * leastShare(request, lowestPriority); percent -= 1) {
      const effort = { lowestPriority, share: percent / 100 };
      if (runMs(request, rounds, effort) <= (1 - margin) * request.budgetMs) return effort;
    }
  }
  return undefined;
}

/** A left-out cell as reported: one variant of one task, on all stacks. */
function cellOf({ study, task, variant, factors, settingDefaults = {}, priority }: PlannedArm): LeftOutCell {
  const work = Object.entries(factors).filter(([name]) => settingDefaults[name] === undefined);
  return { study, task, variant, factors: Object.fromEntries(work), priority };
}

function leftOutOf(request: PlanRequest, effort: Effort): LeftOutCells | undefined {
  const { arms, budgetMs, rounds } = request;
  const kept = arms.filter(({ priority }) => priority <= effort.lowestPriority);
  if (kept.length === arms.length && effort.share === 1) return undefined;
  const without = arms.filter((arm) => !kept.includes(arm));
  const callsAt = (share: number): number => sumOf(kept, (arm) => arm.callsPerTask * tasksAtShare(arm, share));
  const cells = without.filter(({ role }) => role === "style").map(cellOf);
  const wholeMs = spare * runMs(request, rounds, { lowestPriority: Infinity, share: 1 });
  return {
    cells: [...new Map(cells.map((cell) => [JSON.stringify(cell), cell])).values()],
    armIds: without.map(({ id }) => id),
    shareOfCalls: callsAt(effort.share) / callsAt(1),
    withinMs: budgetMs,
    budgetMs: 5_000 * Math.ceil(Math.max(wholeMs, budgetMs) / 5_000),
  };
}

/** @param wholeMs what these rounds take */
function tooSmall({ budgetMs, typed }: RunSize, rounds: number, wholeMs: number): RunnerError {
  const what = `${rounds === 1 ? "one round" : `${rounds} rounds`}${typed.has("calls") ? " with these --calls" : ""}`;
  const message = `the budget of ${budgetMs / 1000} s is too small for ${what}: give at least --budget ${Math.ceil((spare * wholeMs) / 1000)}s, or fewer rounds, calls, studies or stacks`;
  return new RunnerError("budget-too-small", message);
}

/**
 * The plan for all rounds. Without a typed budget, the cells of the first priority are measured in all rounds, whatever they take. Throws a RunnerError
 * `budget-too-small` if a typed budget contradicts typed rounds or calls, or is too small for one round.
 */
export function planRun(request: PlanRequest): RunPlan {
  const { rounds, typed, budgetMs } = request;
  const least = { lowestPriority: prioritiesOf(request).at(-1) ?? 1, share: leastShare(request, 1) };
  const planOf = (number: number, effort: Effort, isInTime = true): RunPlan => ({
    ...effort,
    rounds: number,
    roundMs: roundMs(request, effort),
    isInTime,
    leftOut: leftOutOf(request, effort),
  });
  const effort = effortFor(rounds, request);
  if (effort !== undefined) {
    const plan = planOf(rounds, effort);
    const mayAdd = !typed.has("rounds") && (plan.leftOut?.armIds.length ?? 0) > 0;
    const spareMs = (1 - margin) * budgetMs - runMs(request, rounds, effort);
    const added = mayAdd ? Math.min((mostTimesRounds - 1) * rounds, Math.floor(spareMs / plan.roundMs)) : 0;
    return { ...plan, rounds: rounds + added };
  }
  if (!typed.has("budget")) return planOf(rounds, least, false);
  const fewest = typed.has("rounds") ? rounds : 1;
  for (let fewer = rounds - 1; fewer >= fewest; fewer -= 1) {
    const fitting = effortFor(fewer, request);
    if (fitting !== undefined) return planOf(fewer, fitting);
  }
  throw tooSmall(request, fewest, runMs(request, fewest, least));
}
