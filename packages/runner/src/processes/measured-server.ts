// The interfaces of measured processes.
import type { ProcessEvidence } from "@roundtrip/analysis";
import type { RunnerError } from "../basics/runner-error.ts";
import type { ServerStart } from "./messages.ts";

/** A process of a round. */
export interface MeasuredProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly gone: Promise<RunnerError>;
  /** How it ended; undefined while it runs. */
  readonly end: RunnerError | undefined;
  /** Whether a signal ended it. */
  readonly wasKilled: boolean;
  /** How it ended, if it does so within this time. */
  ended(withinMs: number): Promise<RunnerError | undefined>;
  /** Asks it to end, if it can be asked, and kills it after the grace time. A grace time of 0 kills it at once. */
  stop(graceMs?: number): Promise<void>;
  /** Kills it without waiting. */
  kill(): void;
}

export interface MeasuredServer extends MeasuredProcess {
  /** Those of its processes that are known; empty before it has started. */
  readonly pids: readonly number[];
  /** Makes it ready. Resolves to its URL; rejects when it ends, or does not become ready. */
  start(how: ServerStart): Promise<string>;
  /** Pins it to a core, or to several; undefined lets the kernel choose. */
  place(cores: number | readonly number[] | undefined): void;
  /** CPU time so far; null if it has ended, or is unknown. */
  cpuMs(): Promise<number | null>;
  /** Watches it until {@link watched}, if that is possible. */
  watch(): Promise<void>;
  /** The evidence since {@link watch}; undefined if it does not report it. */
  watched(): Promise<ProcessEvidence | undefined>;
}
