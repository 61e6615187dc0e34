// Judges the rounds of two versions as they come: at the looks that the time of rounds plans, until the verdict or the end of the time.
import {
  isOutOfTime,
  judge,
  looksOfEnded,
  looksUpTo,
  passedStacks,
  roundLimits,
  roundsThatFit,
  type GateJudgement,
  type GateRounds,
  type GateSettings,
} from "@roundtrip/analysis/gate";
import type { MeasureOptions, Progress } from "@roundtrip/runner";

export interface JudgedRounds {
  readonly options: Pick<MeasureOptions, "budgetMs" | "stacks">;
  /** Without looks: these are planned from the time of rounds. */
  readonly settings: Omit<GateSettings, "looks">;
  /** The rounds to run, whatever time they take; undefined for as many as the budget holds. */
  readonly typedRounds: number | undefined;
  readonly onLook: (judgement: GateJudgement) => void;
}

/** Plans looks from the time of rounds, judges at each, and ends the rounds with the verdict or the time. */
export class Judging {
  readonly #what: JudgedRounds;
  readonly #roundsMs: number[] = [];
  #lastEndedMs = performance.now();
  #planned: readonly number[] | undefined;
  #settled: ReadonlySet<string> = new Set();
  isOutOfTime = false;

  constructor(what: JudgedRounds) {
    this.#what = what;
    if (what.typedRounds !== undefined) this.#planned = looksUpTo(what.typedRounds);
  }

  get #time(): { readonly roundsMs: readonly number[]; readonly budgetMs: number; readonly stacks: number } {
    const { budgetMs, stacks } = this.#what.options;
    return { roundsMs: this.#roundsMs, budgetMs, stacks: stacks.length };
  }

  /** The planned rounds; undefined before they are known. */
  get planned(): number | undefined {
    return this.#planned?.at(-1);
  }

  isSettled({ stack }: { readonly stack: string }): boolean {
    return this.#settled.has(stack);
  }

  afterRound(seen: GateRounds): "go on" | "enough" {
    const nowMs = performance.now();
    this.#roundsMs.push(nowMs - this.#lastEndedMs);
    this.#lastEndedMs = nowMs;
    const done = seen.values.length;
    if (done < roundLimits.least - 1) return "go on";
    this.#planned ??= looksUpTo(roundsThatFit(this.#time));
    const isLate = this.#what.typedRounds === undefined && done >= roundLimits.least && isOutOfTime(this.#time);
    if (!isLate && !this.#planned.includes(done)) return "go on";
    const judgement = isLate ? this.atEnd(seen) : this.#judge(seen, this.#planned);
    this.#settled = passedStacks(judgement.cells);
    this.#what.onLook(judgement);
    return judgement.state === "undecided" ? "go on" : "enough";
  }

  /** The judgement of rounds that are over, whatever ended them. */
  atEnd(seen: GateRounds): GateJudgement {
    const planned = this.#planned ?? looksUpTo(roundLimits.least);
    const judgement = this.#judge(seen, planned);
    if (judgement.state !== "undecided") return judgement;
    this.isOutOfTime = true;
    return this.#judge(seen, looksOfEnded(planned, seen.values.length));
  }

  #judge(seen: GateRounds, looks: readonly number[]): GateJudgement {
    return judge(seen, { ...this.#what.settings, looks });
  }
}

/** Progress by what ends the rounds: their planned number, or the time. */
export function shownProgress(state: Progress, { options, typedRounds }: JudgedRounds, planned?: number): Progress {
  if (typedRounds !== undefined) return state;
  const done = Math.max(state.done, Math.min(1, state.elapsedMs / options.budgetMs));
  return {
    ...state,
    rounds: Math.max(planned ?? roundLimits.least, state.round + 1),
    done,
    remainingMs: Math.max(0, options.budgetMs - state.elapsedMs),
  };
}
