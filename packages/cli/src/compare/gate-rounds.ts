// A gate that is fed round by round while they are measured: it looks when its time has come, and says when enough is known.
import { gateRoundsOf, gatherCalls, joinCalls, type ComparedMetric, type GatheredCalls } from "@roundtrip/analysis";
import type { GateRounds } from "@roundtrip/analysis/gate";
import type { RoundSeen } from "@roundtrip/runner";

export interface GateFeed {
  readonly metrics: readonly ComparedMetric[];
  /** After how many rounds it looks. */
  readonly looks: readonly number[];
  /** Asked at each look, with all rounds so far. */
  readonly look: (rounds: GateRounds) => "go on" | "enough";
}

const nothing: GateRounds = { cells: [], values: [] };

export class GateOfRounds {
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
