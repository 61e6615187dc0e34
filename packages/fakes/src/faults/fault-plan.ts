// The faults and latencies of a fake: one plan for all styles, in programs as in files.
import type { CanonicalCode, ErrorDetails } from "@roundtrip/contract";

/** A duration in milliseconds. `measured` draws one of its values, all equally likely. */
export type Delay =
  | { readonly ms: number }
  | { readonly uniform: { readonly fromMs: number; readonly toMs: number } }
  | { readonly exponential: { readonly meanMs: number } }
  | { readonly lognormal: { readonly medianMs: number; readonly p99Ms: number } }
  | { readonly measured: { readonly valuesMs: readonly number[] } };

/**
 * What happens to a call. `drop` closes its connection before any answer and does not call the service. `truncate` closes it in the middle of
 * the service's answer, or in the second message of a stream. `slow-stream` waits before each message of a stream and affects only streams.
 */
export type Fault =
  | {
      readonly error: {
        readonly code: CanonicalCode;
        /** Default: the code in words. */
        readonly message?: string;
        readonly details?: Partial<ErrorDetails>;
      };
    }
  | { readonly drop: true }
  | { readonly truncate: true }
  | { readonly "slow-stream": Delay };

export type FaultRule = Fault & {
  /** An operation's id, an unambiguous end of it, or a pattern with `*` for any part of an id. */
  readonly operation: string;
  /** The share of the operation's calls that it affects, 0 to 1. Earlier rules take their share first. Default: 1. */
  readonly probability?: number;
};

export type LatencyRule = Delay & { readonly operation: string };

/** The first latency rule that names an operation applies. Each fault rule that names it gets its share of the calls. */
export interface FaultPlan {
  readonly faults: readonly FaultRule[];
  readonly latencies: readonly LatencyRule[];
}

export const noFaults: FaultPlan = { faults: [], latencies: [] };
