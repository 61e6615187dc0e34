// The interfaces of measured processes.
import type { ProcessEvidence } from "@roundtrip/analysis";
import type { RunnerError } from "../basics/runner-error.ts";
import type { ServerStart } from "./messages.ts";

export interface MeasuredProcess {
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<RunnerError>;
  /** How it ended; undefined while it runs. */
  readonly end: RunnerError | undefined;
  readonly wasKilled: boolean;
  ended(withinMs: number): Promise<RunnerError | undefined>;
  /** Asks it to end, if it answers questions, and kills it after the grace time. A grace time of 0 kills it at once. */
  stop(graceMs?: number): Promise<void>;
  kill(): void;
}

export interface MeasuredServer extends MeasuredProcess {
  /** The known ids of its processes; empty before it has started. */
  readonly pids: readonly number[];
  /** Starts it. Resolves to its URL; rejects if it ends, or does not become ready. */
  start(how: ServerStart): Promise<string>;
  /** Pins it to one or more cores; undefined lets the kernel choose. */
  place(cores: number | readonly number[] | undefined): void;
  /** CPU time so far; null if it has ended, or is unknown. */
  cpuMs(): Promise<number | null>;
  /** Watches it until {@link watched}, if it supports that. */
  watch(): Promise<void>;
  /** The evidence since {@link watch}; undefined if it does not report it. */
  watched(): Promise<ProcessEvidence | undefined>;
}
