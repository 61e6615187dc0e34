// A gate that is fed round by round while they are measured: it looks when its time has come, and says when enough is known.
import { gateRoundsOf, gatherCalls, joinCalls, type ComparedMetric, type GatheredCalls } from "@roundtrip/analysis";
import { judge, type GateJudgement, type GateRounds, type GateSettings } from "@roundtrip/analysis/gate";
import type { RoundSeen } from "@roundtrip/runner";

export interface GateFeed {
  readonly settings: GateSettings;
  readonly metrics: readonly ComparedMetric[];
  /** Told of each look. */
  readonly onLook: (judgement: GateJudgement) => void;
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
    const { settings, metrics, onLook } = this.#feed;
    this.#parts.push(gatherCalls(facts, calls));
    this.rounds = gateRoundsOf(facts, this.calls, metrics);
    if (!settings.looks.includes(this.rounds.values.length)) return "go on";
    const judgement = judge(this.rounds, settings);
    onLook(judgement);
    return judgement.state === "undecided" ? "go on" : "enough";
  }

  /** At least one round must have been added. */
  get calls(): GatheredCalls {
    return joinCalls(this.#parts);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }
}
