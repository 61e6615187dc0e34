// The time that a run may take: which share of a round there is time for, and when a round is given up.
import type { Warning } from "@roundtrip/analysis";
import { RunnerError } from "../runner-error.ts";
import { RoundTimes, type BlockTimes } from "./round-times.ts";
import { shareOfRound } from "./share-of-round.ts";

export interface BudgetOptions {
  readonly budgetMs: number;
  readonly rounds: number;
  /** Time since the run's start. */
  readonly elapsedMs: () => number;
  /** True where a round is whole or not run at all: where it may be the last that is wanted, the ones to come need no room. */
  readonly isWhole?: boolean;
}

/** Keeps the times of rounds, and judges by those of the last one. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #times = new RoundTimes();
  #round = 0;
  #roundStartedMs = 0;
  /** What of a round so far went to starting processes and warming them up. */
  #startUpMs = 0;
  #part = "";
  /** When the part that has no block yet began. */
  #partStartedMs: number | undefined;
  #lastRoundMs = 0;
  #leastShareOfCalls = 1;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  get #leftMs(): number {
    return this.#options.budgetMs - this.#options.elapsedMs();
  }

  /** Begins a round. The share of its calls that there is time for; 0 when there is none, and the round is not to be run. */
  beginRound(round: number): number {
    const roundsLeft = this.#options.rounds - round;
    const roundMs = (of: number): number => this.#times.roundMs(of);
    const ofAll = (): number => shareOfRound({ roundsLeft, leftMs: this.#leftMs, roundMs });
    const whole = (): number => (roundMs(1) <= this.#leftMs ? 1 : 0);
    const share = round === 0 ? 1 : this.#options.isWhole === true ? whole() : ofAll();
    if (share === 0) return 0;
    if (share < 1) this.#leastShareOfCalls = Math.min(this.#leastShareOfCalls, this.#times.shareOfCalls(share));
    this.#round = round;
    this.#roundStartedMs = this.#options.elapsedMs();
    this.#startUpMs = 0;
    return share;
  }

  /** Begins a part of the round: up to its first block, it starts up. @param name the same for the same part of every round. */
  beginPart(name: string): void {
    this.#part = name;
    this.#partStartedMs = this.#options.elapsedMs();
  }

  /** To be told of every block that has been measured. */
  addBlock(block: BlockTimes): void {
    this.#times.add(this.#part, block);
  }

  endRound(): void {
    this.#lastRoundMs = this.#options.elapsedMs() - this.#roundStartedMs;
    this.#times.endRound(this.#lastRoundMs);
  }

  /** How long the rest takes when it goes on like this. @param done share of all blocks, 0 to 1. */
  remainingMs(done: number): number | undefined {
    if (done === 0) return undefined;
    return Math.min((this.#options.elapsedMs() / done) * (1 - done), this.#leftMs);
  }

  /** To be asked before every block: whether there is time for it. Throws `budget-too-small` when the first round lasts too long. */
  hasTimeForBlock(blocksDone: number, blocksPlanned: number): boolean {
    const elapsedMs = this.#options.elapsedMs();
    this.#startUpMs += elapsedMs - (this.#partStartedMs ?? elapsedMs);
    this.#partStartedMs = undefined;
    const isSpent = elapsedMs > this.#options.budgetMs;
    if (this.#round === 0) {
      if (isSpent) throw this.#tooSmall(elapsedMs, blocksDone, blocksPlanned);
      return true;
    }
    // A round that began in time and takes far longer than the one before is not waited for either.
    return elapsedMs <= this.#options.budgetMs + this.#lastRoundMs;
  }

  /** What a reader must know of how far the time went; rounds that lack after an interruption are not its fault. */
  warnings(roundsDone: number, isInterrupted: boolean): readonly Warning[] {
    const { budgetMs, rounds } = this.#options;
    const warnings: Warning[] = [];
    if (roundsDone < rounds && !isInterrupted) {
      const message = `the budget of ${budgetMs / 1000} s was enough for ${roundsDone} of ${rounds} rounds`;
      warnings.push({ code: "budget", message });
    }
    if (this.#leastShareOfCalls < 1) {
      const message = `the budget of ${budgetMs / 1000} s was short: some rounds made only ${Math.round(100 * this.#leastShareOfCalls)} % of their calls`;
      warnings.push({ code: "fewer-calls", message });
    }
    return warnings;
  }

  #tooSmall(elapsedMs: number, blocksDone: number, blocksPlanned: number): RunnerError {
    const perBlockMs = blocksDone === 0 ? 0 : (elapsedMs - this.#roundStartedMs - this.#startUpMs) / blocksDone;
    const needsMs = 1.2 * (this.#startUpMs + perBlockMs * blocksPlanned);
    return new RunnerError(
      "budget-too-small",
      `the budget of ${this.#options.budgetMs / 1000} s is too small for one round: give at least --budget ${Math.ceil(needsMs / 1000)}s, or fewer studies or stacks`,
    );
  }
}
