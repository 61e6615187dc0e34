// The time budget of a run: what of each round is measured, and when a run ends for lack of time.
import type { LeftOutCells, LeftOutCell, Warning } from "@roundtrip/analysis";
import type { PlannedArm } from "../study/planned-arm.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { effortForAll, effortForMost, leastEffort, type Effort, type TimeForRounds } from "./effort.ts";
import { RoundTimes, type BlockTimes, type WholeRound } from "./round-times.ts";

export interface BudgetOptions {
  readonly budgetMs: number;
  readonly rounds: number;
  /** If something was left out and time remains, more rounds are run, up to this number. */
  readonly mostRounds?: number;
  readonly elapsedMs: () => number;
  readonly arms: readonly Pick<PlannedArm, "priority">[];
  /** Whether the budget ends the run. Otherwise all rounds are run, with the least effort if necessary. */
  readonly isFirm: boolean;
  /** True if a round is complete or not run at all: if it may be the last one, later rounds need no time. */
  readonly isWhole?: boolean;
}

/** Processes that are ready for the first block of their round. */
export interface ReadyPart {
  readonly arms: readonly PlannedArm[];
  /** The time of a call in the warm-up of a single pair, by arm; undefined if it is unknown for any of them. */
  readonly msPerCall: ((arm: PlannedArm) => number) | undefined;
  /** The time spent since the round began. */
  readonly timeSinceRoundStart: WholeRound;
  /** Whether this is the only part of the round. */
  readonly isAll: boolean;
}

/** Spare factor for the suggested budget. */
const spare = 1.2;

/** With fewer rounds there is no 95 % interval. */
const roundsForIntervals = 6;

/** A left-out cell as reported: one variant of one task, on all stacks. */
function cellOf({ study, task, variant, factors, settingDefaults = {}, priority }: PlannedArm): LeftOutCell {
  const work = Object.entries(factors).filter(([name]) => settingDefaults[name] === undefined);
  return { study, task, variant, factors: Object.fromEntries(work), priority };
}

/** Keeps the times of rounds, and decides by those of the last one. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #times = new RoundTimes();
  readonly #everything: Effort;
  #effort: Effort;
  #round = 0;
  #roundStartedMs = 0;
  /** Time of the current round for starting processes and warming them up. */
  #startUpMs = 0;
  #part = "";
  /** When the part without a block so far began. */
  #partStartedMs: number | undefined;
  #lastRoundMs = 0;
  #wholeRoundMs = 0;
  #leastShareOfCalls = 1;
  /** Whether the durations of the first round's blocks were estimated. */
  #isExpected = false;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#everything = { lowestPriority: this.#priorities(Infinity).at(-1) ?? 1, share: 1 };
    this.#effort = this.#everything;
  }

  get #leftMs(): number {
    return this.#options.budgetMs - this.#options.elapsedMs();
  }

  /** Begins a round. Returns the effort; undefined if the round is not run, because there is no time for it or no need. */
  beginRound(round: number): Effort | undefined {
    this.#round = round;
    const effort = this.#effortOf(round);
    if (effort === undefined) return undefined;
    this.#effort = effort;
    this.#roundStartedMs = this.#options.elapsedMs();
    this.#startUpMs = 0;
    return this.#effort;
  }

  /** Begins a part of the round, which starts up until its first block. @param name the same for the same part of every round. */
  beginPart(name: string): void {
    this.#part = name;
    this.#partStartedMs = this.#options.elapsedMs();
  }

  /** Call this when a part is ready. Returns the effort. */
  partReady({ arms, msPerCall, timeSinceRoundStart, isAll }: ReadyPart): Effort {
    const isKnown = this.#round > 0 || msPerCall !== undefined;
    if (this.#options.isWhole === true || !isAll || !isKnown) return this.#effort;
    if (this.#round === 0 && msPerCall !== undefined) {
      this.#times.expect(this.#part, arms, msPerCall);
      this.#times.started(timeSinceRoundStart);
      this.#isExpected = true;
    }
    this.#effort = this.#chosen(this.#roundsFromHere()) ?? this.#least;
    return this.#effort;
  }

  get isSpent(): boolean {
    return this.#leftMs <= 0;
  }

  /** Call this with the duration of a standstill: later rounds are not expected to repeat it. */
  addStandstill(ms: number): void {
    this.#roundStartedMs += ms;
  }

  addBlock(block: BlockTimes): void {
    this.#times.add(this.#part, block);
  }

  /** Call this when all blocks of a round have been measured, before its results are kept: {@link leftOut} is final after the first. */
  endRound({ verificationMs, verifiedCalls }: Omit<WholeRound, "roundMs">): void {
    this.#lastRoundMs = this.#options.elapsedMs() - this.#roundStartedMs;
    this.#times.endRound({ roundMs: this.#lastRoundMs, verificationMs, verifiedCalls });
    this.#wholeRoundMs = Math.max(this.#wholeRoundMs, this.#times.roundMs(this.#everything));
    this.#leastShareOfCalls = Math.min(this.#leastShareOfCalls, this.#times.shareOfCalls(this.#effort));
    if (this.#round > 0 || this.#options.isWhole === true) return;
    const roundsLeft = this.#options.rounds - 1;
    const next = this.#chosen({ ...this.#roundsFrom(), roundsLeft });
    if (next !== undefined && roundsLeft > 0) this.#leaveOutBelow(next.lowestPriority);
  }

  /** The estimated remaining time. @param done share of all blocks, 0 to 1. */
  remainingMs(done: number): number | undefined {
    if (done === 0) return undefined;
    const asBeforeMs = (this.#options.elapsedMs() / done) * (1 - done);
    return this.#leftMs > 0 ? Math.min(asBeforeMs, this.#leftMs) : asBeforeMs;
  }

  /** Call this before every block: whether its cell is no longer measured. In the first round, cells of low priority come last. */
  isLeftOut({ priority }: Pick<PlannedArm, "priority">): boolean {
    if (priority > this.#effort.lowestPriority) return true;
    if (this.#round > 0 || priority === 1 || !this.#isExpected) return false;
    const { share } = this.#effort;
    const effort = this.#chosen(this.#roundsFromHere(share)) ?? this.#least;
    this.#leaveOutBelow(effort.lowestPriority);
    return priority > this.#effort.lowestPriority;
  }

  /** Call this before every block: whether there is time for it. Throws `budget-too-small` if the first round lasts too long. */
  hasTimeForBlock(blocksDone: number, blocksPlanned: number): boolean {
    const elapsedMs = this.#options.elapsedMs();
    this.#startUpMs += elapsedMs - (this.#partStartedMs ?? elapsedMs);
    this.#partStartedMs = undefined;
    const { isFirm, isWhole = false } = this.#options;
    const isPlanned = this.#round < this.#options.rounds;
    if (!isFirm && isPlanned && (this.#round === 0 || !isWhole)) return true;
    const isSpent = elapsedMs > this.#options.budgetMs;
    if (this.#round === 0) {
      if (isSpent) throw this.#tooSmall(elapsedMs, blocksDone, blocksPlanned);
      return true;
    }
    // Also ends a round that began in time and takes far longer than the one before.
    return elapsedMs <= this.#options.budgetMs + this.#lastRoundMs;
  }

  /** The cells without time; undefined if everything was measured. */
  leftOut(arms: readonly PlannedArm[]): LeftOutCells | undefined {
    const isWithout = ({ priority }: PlannedArm): boolean => priority > this.#effort.lowestPriority;
    const without = arms.filter(isWithout);
    if (without.length === 0 && this.#leastShareOfCalls === 1) return undefined;
    // An interrupted first round has not been added up yet.
    const wholeRoundMs = Math.max(this.#wholeRoundMs, this.#times.roundMs(this.#everything));
    const needsMs = 1.1 * this.#options.rounds * wholeRoundMs;
    const cells = without.filter(({ role }) => role === "style").map(cellOf);
    const floor = arms.filter(({ role }) => role === "floor");
    return {
      cells: [...new Map(cells.map((cell) => [JSON.stringify(cell), cell])).values()],
      ...(floor.length > 0 && floor.every(isWithout) ? { isFloorLeftOut: true } : {}),
      armIds: without.map(({ id }) => id),
      leastShareOfCalls: this.#leastShareOfCalls,
      withinMs: this.#options.budgetMs,
      budgetMs: 5_000 * Math.ceil(Math.max(needsMs, this.#options.budgetMs) / 5_000),
    };
  }

  /** Warnings about missing rounds. The budget is not the reason for those missing after an interruption. */
  warnings(roundsDone: number, isInterrupted: boolean): readonly Warning[] {
    const { budgetMs, rounds } = this.#options;
    if (roundsDone >= rounds || isInterrupted) return [];
    const message = `the budget of ${budgetMs / 1000} s was enough for ${roundsDone} of ${rounds} rounds`;
    return [{ code: "budget", message }];
  }

  get #least(): Effort {
    return leastEffort(this.#roundsFrom());
  }

  #priorities(upTo: number): readonly number[] {
    const known = new Set(this.#options.arms.map(({ priority }) => priority).filter((priority) => priority <= upTo));
    return [...known].toSorted((one, other) => one - other);
  }

  #leaveOutBelow(lowestPriority: number): void {
    this.#effort = { ...this.#effort, lowestPriority: Math.min(this.#effort.lowestPriority, lowestPriority) };
  }

  #roundsFrom(): TimeForRounds {
    return {
      roundsLeft: Math.max(1, this.#options.rounds - this.#round),
      roundsNeeded: roundsForIntervals - this.#round,
      leftMs: this.#leftMs,
      priorities: this.#priorities(this.#effort.lowestPriority),
      mayLeaveOut: this.#round === 0,
      roundsMs: (rounds, effort) => rounds * this.#times.roundMs(effort),
    };
  }

  /** The rest of the current round, and later ones. @param begunWith the share of the current round, once it has begun */
  #roundsFromHere(begunWith?: number): TimeForRounds {
    const roundsMs: TimeForRounds["roundsMs"] = (rounds, { lowestPriority, share }) =>
      this.#times.undoneMs({ lowestPriority, share: begunWith ?? share }) +
      (rounds - 1) * this.#times.roundMs({ lowestPriority, share });
    return { ...this.#roundsFrom(), roundsMs };
  }

  /** Undefined if the budget is firm and spent. */
  #chosen(time: TimeForRounds): Effort | undefined {
    return this.#options.isFirm ? effortForMost(time) : (effortForAll(time) ?? leastEffort(time));
  }

  #effortOf(round: number): Effort | undefined {
    if (round === 0) return this.#everything;
    const { rounds, mostRounds = rounds, isWhole } = this.#options;
    if (round < rounds) return isWhole === true ? this.#ifInTime(this.#everything) : this.#chosen(this.#roundsFrom());
    return round < mostRounds && this.#hasLeftOut ? this.#ifInTime(this.#effort) : undefined;
  }

  get #hasLeftOut(): boolean {
    return this.#leastShareOfCalls < 1 || this.#effort.lowestPriority < this.#everything.lowestPriority;
  }

  #ifInTime(effort: Effort): Effort | undefined {
    return this.#times.roundMs(effort) <= this.#leftMs ? effort : undefined;
  }

  #tooSmall(elapsedMs: number, blocksDone: number, blocksPlanned: number): RunnerError {
    const blocksMs = elapsedMs - this.#roundStartedMs - this.#startUpMs;
    // Before the first block: as long as the start-up took.
    const perBlockMs = blocksDone === 0 ? this.#startUpMs / blocksPlanned : blocksMs / blocksDone;
    const undoneMs = this.#isExpected ? this.#times.undoneMs(this.#effort) : perBlockMs * (blocksPlanned - blocksDone);
    const oneMs = elapsedMs + undoneMs;
    const [one, all] = [1, this.#options.rounds].map((rounds) => Math.ceil((spare * rounds * oneMs) / 1000));
    const forAll = this.#options.rounds === 1 ? "" : ` (about ${all}s for all ${this.#options.rounds} rounds)`;
    return new RunnerError(
      "budget-too-small",
      `the budget of ${this.#options.budgetMs / 1000} s is too small for one round: give at least --budget ${one}s${forAll}, or fewer studies or stacks`,
    );
  }
}
