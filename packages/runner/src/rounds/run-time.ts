// When a run ends for lack of time: only between rounds, so that every round measures the same.
import { tooSmall, type RunPlan, type Typed } from "./plan-run.ts";

export interface RunTimeOptions {
  readonly budgetMs: number;
  /** The rounds to make unless a plan has others. */
  readonly rounds: number;
  readonly typed: Typed;
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
  #roundStartedMs = 0;
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

  /** Whether to begin this round: it is expected to last as long as the one before, the second as long as planned. */
  begins(round: number): boolean {
    const elapsedMs = this.options.elapsedMs();
    const lastMs = elapsedMs - this.#roundStartedMs;
    const expectedMs = round === 1 ? (this.plan?.roundMs ?? lastMs) : lastMs;
    this.#roundStartedMs = elapsedMs;
    if (round >= this.rounds) return false;
    this.#isOver = round > 0 && elapsedMs + expectedMs > this.#limitMs;
    return !this.#isOver;
  }

  /**
   * Throws a RunnerError `budget-too-small` once the first round of a run without a plan has exceeded a typed budget.
   * @param done share of the round's blocks that are done
   */
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
