// One comparison job that ran on a real machine, as a line of docs/gate/physical-jobs.jsonl.

import type { ArmRounds } from "./arm-rounds.ts";

export const stackNames = ["grpc-js", "rest-express", "graphql-apollo"] as const;

export interface JobCase {
  /** The name of one of {@link changes}: what head does and base does not, or the origin of equal versions. */
  readonly change: string;
  readonly stack: string;
  /** Whether the other stacks are compared too, as by default. */
  readonly isWhole: boolean;
  /** Whether a noisy neighbour starts and stops meanwhile. */
  readonly hasNeighbour: boolean;
}

/** The result of compare for one cell. Ratios are head ÷ base; bounds are null for too few rounds. */
export interface JobCell {
  readonly stack: string;
  readonly task: string;
  readonly metric: string;
  readonly ratio: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly state: string;
  /** The true ratio, if it is known: 1.05 for 5 % more. */
  readonly truth: number | null;
}

export interface PhysicalJob extends JobCase {
  readonly kind: "null" | "injected";
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seed: number;
  /** The version of this project, as in `git describe`. */
  readonly version: string;
  readonly machine: string;
  /** The load average over the minute before: processes that wanted a processor. */
  readonly loadBefore: number;
  /** `none` if the job ended with an error, which `reason` states. */
  readonly verdict: "pass" | "fail" | "inconclusive" | "none";
  readonly reason: string;
  readonly rounds: number;
  /** From the start of the command to its end. */
  readonly seconds: number;
  /** Of these, the time for measuring a loss again; 0 without one. */
  readonly confirmationSeconds: number;
  readonly cells: readonly JobCell[];
  /** Exact counts that changed, such as `rest-express hello connectionsPerTask 0 → 1`. */
  readonly exact: readonly string[];
  /** `[r][c]`: ln(head / base) of each round and cell; null if a round has no values for a cell. */
  readonly logRatios: readonly (readonly (number | null)[])[];
  /** `[r][c]`: the input for rules of other tools. */
  readonly armRounds: readonly (readonly ArmRounds[])[];
  /** The confirmation: the numbers of the cells that were measured again, and their rounds. */
  readonly confirmation: {
    readonly cells: readonly number[];
    readonly isConfirmed: boolean;
    readonly logRatios: readonly (readonly (number | null)[])[];
  } | null;
}
