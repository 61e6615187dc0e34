// Where a round's seconds go: the clock knows which phase runs now, and adds up what each took over the parts of the round.
import type { RoundTime } from "@roundtrip/analysis";

/** What a round does, in this order for each of its parts. */
export type Phase = Exclude<keyof RoundTime, "round">;

const none: Readonly<Record<Phase, number>> = {
  startingMs: 0,
  firstCallsMs: 0,
  verificationMs: 0,
  warmUpMs: 0,
  blocksMs: 0,
  endingMs: 0,
};

export class PhaseClock {
  readonly #spent = { ...none };
  #phase: Phase = "startingMs";
  #since = performance.now();

  /** Ends the phase that runs, and begins this one. */
  enter(phase: Phase): void {
    const now = performance.now();
    this.#spent[this.#phase] += now - this.#since;
    this.#phase = phase;
    this.#since = now;
  }

  /** What each phase has taken so far, in milliseconds. */
  get spent(): Readonly<Record<Phase, number>> {
    this.enter(this.#phase);
    return { ...this.#spent };
  }
}
