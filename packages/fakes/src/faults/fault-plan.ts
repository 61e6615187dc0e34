// What goes wrong in a fake, and how slowly it answers: one plan for all styles.
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";

/** How long something takes, in milliseconds. `measured` draws one of these values, each as likely as any other. */
export type Delay =
  | { readonly kind: "constant"; readonly ms: number }
  | { readonly kind: "uniform"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "exponential"; readonly meanMs: number }
  | { readonly kind: "lognormal"; readonly medianMs: number; readonly p99Ms: number }
  | { readonly kind: "measured"; readonly valuesMs: readonly number[] };

/**
 * What becomes of a call. `drop` closes its connection before any answer, `truncate` in the middle of one; `slow-stream` waits before each
 * message of a stream.
 */
export type Fault =
  | {
      readonly kind: "error";
      readonly code: CanonicalCode;
      readonly message: string;
      readonly details: Partial<ErrorDetails>;
    }
  | { readonly kind: "drop" }
  | { readonly kind: "truncate" }
  | { readonly kind: "slow-stream"; readonly between: Delay };

export interface FaultRule {
  /** An operation's id, or a pattern with `*` for any part of one. */
  readonly operation: string;
  /** Share of calls that it concerns, 0 to 1. */
  readonly probability: number;
  readonly fault: Fault;
}

export interface LatencyRule {
  readonly operation: string;
  readonly delay: Delay;
}

/** The first latency rule that names an operation is its latency; of faults, the first that the draw of a call hits. */
export interface FaultPlan {
  readonly faults: readonly FaultRule[];
  readonly latencies: readonly LatencyRule[];
}

export const noFaults: FaultPlan = { faults: [], latencies: [] };
