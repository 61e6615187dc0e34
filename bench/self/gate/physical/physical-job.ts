// One comparison job that was run on a real machine, as a line of docs/gate/physical-jobs.jsonl keeps it.

import type { ArmRounds } from "./arm-rounds.ts";

export const stackNames = ["grpc-js", "rest-express", "graphql-apollo"] as const;

/** What is done in a job. */
export interface JobCase {
  /** Of {@link changes}: what head does that base does not, or how the two of equal versions came about. */
  readonly change: string;
  /** Where it is done. */
  readonly stack: string;
  /** Whether the other stacks are compared too, as they are by default. */
  readonly isWhole: boolean;
  /** Whether a noisy neighbour switches on and off meanwhile. */
  readonly hasNeighbour: boolean;
}

/** What compare said of one cell; ratios are head ÷ base, bounds null where there were too few rounds. */
export interface JobCell {
  readonly stack: string;
  readonly task: string;
  readonly metric: string;
  readonly ratio: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly state: string;
  /** What it truly is, where that is known: 1.05 for 5 % more. */
  readonly truth: number | null;
}

export interface PhysicalJob extends JobCase {
  readonly kind: "null" | "injected";
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seed: number;
  /** Of this project, as `git describe` has it. */
  readonly version: string;
  readonly machine: string;
  /** Processes that wanted a processor in the minute before, on average. */
  readonly loadBefore: number;
  /** `none` where the job ended with a fault, which `reason` states. */
  readonly verdict: "pass" | "fail" | "inconclusive" | "none";
  readonly reason: string;
  readonly rounds: number;
  /** From the command's start to its end. */
  readonly seconds: number;
  /** Of these, for measuring a loss again; 0 without one. */
  readonly confirmationSeconds: number;
  readonly cells: readonly JobCell[];
  /** Exact counts that changed, as `rest-express hello connectionsPerTask 0 → 1`. */
  readonly exact: readonly string[];
  /** `[r][c]`: ln(head / base) of each round and cell; null where a round gave a cell nothing. */
  readonly logRatios: readonly (readonly (number | null)[])[];
  /** `[r][c]`: what rules of other tools would have seen. */
  readonly armRounds: readonly (readonly ArmRounds[])[];
  /** What was measured again: the numbers of its cells, and their rounds. */
  readonly confirmation: {
    readonly cells: readonly number[];
    readonly isConfirmed: boolean;
    readonly logRatios: readonly (readonly (number | null)[])[];
  } | null;
}
