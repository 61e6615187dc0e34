// The server's end of a pair, whoever wrote the server: what a round has to be able to do with it.
import type { ProcessEvidence } from "@roundtrip/analysis";
import type { RunnerError } from "../basics/runner-error.ts";
import type { ServerStart } from "./messages.ts";

/** A process of a round, however it is spoken to. */
export interface MeasuredProcess {
  /** Resolves when the process has ended, whoever ended it. */
  readonly gone: Promise<RunnerError>;
  /** How it ended; undefined while it has not been heard to. */
  readonly end: RunnerError | undefined;
  /** Whether a signal ended it. */
  readonly wasKilled: boolean;
  /** How it ended, if it does so within this time. */
  ended(withinMs: number): Promise<RunnerError | undefined>;
  /** Ends it: asked politely first where it can be asked, killed when it has not gone after the grace time. No grace kills it at once. */
  stop(graceMs?: number): Promise<void>;
  /** Ends it at once and waits for nothing. */
  kill(): void;
}

export interface MeasuredServer extends MeasuredProcess {
  /** Those of its processes that are known; empty before it has started. */
  readonly pids: readonly number[];
  /** Makes it ready. Resolves to its URL; rejects when it ends, or does not become ready. */
  start(how: ServerStart): Promise<string>;
  /** Pins it to a core, or to several; leaves it to the kernel without one. */
  place(cores: number | readonly number[] | undefined): void;
  /** CPU time so far; null when it has gone, or is not known. */
  cpuMs(): Promise<number | null>;
  /** Has it watched until {@link watched}, where it can be. */
  watch(): Promise<void>;
  /** How it fared since; undefined when it does not say. */
  watched(): Promise<ProcessEvidence | undefined>;
}
