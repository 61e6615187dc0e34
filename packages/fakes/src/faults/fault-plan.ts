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
 * What becomes of a call. `drop` closes its connection before any answer, and the service is not asked; `truncate` closes it in the middle of
 * the service's answer, of a stream in its second message; `slow-stream` waits before each message of a stream, and concerns nothing else.
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
  /** An operation's id, the end of it that says which is meant, or a pattern with `*` for any part of an id. */
  readonly operation: string;
  /** Share of the operation's calls that it concerns, 0 to 1. What the rules before it have taken is gone. */
  readonly probability: number;
  readonly fault: Fault;
}

export interface LatencyRule {
  readonly operation: string;
  readonly delay: Delay;
}

/** The first latency rule that names an operation is its latency. Of fault rules that name it, each has its share of the calls. */
export interface FaultPlan {
  readonly faults: readonly FaultRule[];
  readonly latencies: readonly LatencyRule[];
}

export const noFaults: FaultPlan = { faults: [], latencies: [] };
