// A run as a history holds it: what was measured, of which revision, and how much of it there may be.
import type { EnvironmentFingerprint, KeptCell, RunFacts, StackIds } from "@roundtrip/analysis";
import { CliError } from "../basics/cli-error.ts";

/** A run of a history, without its figures. */
export interface HistoryRun {
  /** The same for the same measurement, wherever its directory lies. */
  readonly id: string;
  /** ISO 8601 in UTC, as `at`. */
  readonly startedAt: string;
  /** Where it stands in the history. */
  readonly at: string;
  /** A commit's id, or another name for what was measured. */
  readonly revision: string;
  readonly branch: string;
  /** Whether the work tree held what the revision does not; null where that is not known. */
  readonly isDirty: boolean | null;
  readonly status: RunFacts["status"];
  /** Complete ones. */
  readonly rounds: number;
  readonly seed: number;
  /** The version of this program that wrote it down. */
  readonly tool: string;
  readonly environment: EnvironmentFingerprint;
}

/** One metric of one arm of one run, as it is kept. */
export interface HistoryCell extends StackIds {
  readonly runId: string;
  readonly armId: string;
  readonly study: string;
  readonly task: string;
  /** The stack's name for people. */
  readonly title: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, string | number | boolean>>;
  readonly metric: string;
  /** Values that the summary is of. */
  readonly n: number;
  readonly mean: number;
  readonly meanLow: number | null;
  readonly meanHigh: number | null;
  readonly stddev: number;
  readonly p50: number;
  readonly p99: number | null;
  readonly roundMeans: readonly (number | null)[];
}

/** A study with thousands of arms is a slip, and would fill the file. */
const mostCells = 20_000;
/** `bench` does no more. */
const mostRounds = 1_000;
const mostNameLength = 1_000;

function requireAtMost(what: string, count: number, most: number): void {
  if (count <= most) return;
  const [is, limit] = [count, most].map((number) => number.toLocaleString("en-US"));
  throw new CliError("usage", `the run has ${is} ${what}, and a history takes ${limit} of a run`);
}

/** Throws a usage error for a run that is larger than a history takes, or holds nothing. */
export function requireKeepable(run: HistoryRun, cells: readonly KeptCell[]): void {
  if (cells.length === 0) throw new CliError("usage", "the run has no figures: nothing to keep");
  requireAtMost("metrics of arms", cells.length, mostCells);
  requireAtMost("rounds", Math.max(...cells.map(({ roundMeans }) => roundMeans.length)), mostRounds);
  const { cpuModel, kernel, runtime, link } = run.environment;
  const names = [run.revision, run.branch, cpuModel, kernel, runtime, link, ...cells.map(({ arm }) => arm.id)];
  requireAtMost("letters in a name", Math.max(...names.map(({ length }) => length)), mostNameLength);
}
