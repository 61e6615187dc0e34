// A run in a history: its facts, its figures, and their limits.
import type { EnvironmentFingerprint, HistoryRecordCell, RunFacts, StackIds } from "@roundtrip/analysis";
import { CliError } from "../basics/cli-error.ts";

export interface HistoryRun {
  /** The same for the same measurement, wherever its directory is. */
  readonly id: string;
  /** ISO 8601 in UTC, like `at`. */
  readonly startedAt: string;
  /** The run's position in the history. */
  readonly at: string;
  /** A commit id, or another name of the measured version. */
  readonly revision: string;
  readonly branch: string;
  /** Whether the work tree differed from the revision; null if unknown. */
  readonly isDirty: boolean | null;
  readonly status: RunFacts["status"];
  /** Complete rounds. */
  readonly rounds: number;
  readonly seed: number;
  /** The Roundtrip version that added the run. */
  readonly tool: string;
  readonly environment: EnvironmentFingerprint;
}

export interface HistoryCell extends StackIds {
  readonly runId: string;
  readonly armId: string;
  readonly study: string;
  readonly task: string;
  /** The stack's display name. */
  readonly title: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, string | number | boolean>>;
  readonly metric: string;
  readonly n: number;
  readonly mean: number;
  readonly meanLow: number | null;
  readonly meanHigh: number | null;
  readonly stddev: number;
  readonly p50: number;
  readonly p99: number | null;
  readonly roundMeans: readonly (number | null)[];
}

/** Maximum number of figures per run; more would be a mistake and fill the file. */
const mostCells = 20_000;
/** The maximum of `bench`. */
const mostRounds = 1_000;
const mostNameLength = 1_000;

function requireAtMost(what: string, count: number, most: number): void {
  if (count <= most) return;
  const [is, limit] = [count, most].map((number) => number.toLocaleString("en-US"));
  throw new CliError("usage", `the run has ${is} ${what}, and a history takes ${limit} of a run`);
}

/** Throws a usage error for a run that exceeds the limits or is empty. */
export function requireKeepable(run: HistoryRun, cells: readonly HistoryRecordCell[]): void {
  if (cells.length === 0) throw new CliError("usage", "the run has no figures: nothing to keep");
  requireAtMost("metrics of arms", cells.length, mostCells);
  requireAtMost("rounds", Math.max(...cells.map(({ roundMeans }) => roundMeans.length)), mostRounds);
  const { cpuModel, kernel, runtime, link } = run.environment;
  const names = [run.revision, run.branch, cpuModel, kernel, runtime, link, ...cells.map(({ arm }) => arm.id)];
  requireAtMost("letters in a name", Math.max(...names.map(({ length }) => length)), mostNameLength);
}
