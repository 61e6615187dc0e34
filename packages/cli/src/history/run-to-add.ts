// Converts a run directory to a run of a history.
import { summariseArms, gatherParts, historyRecord, type HistoryRecordCell, type RunFacts } from "@roundtrip/analysis";
import { readRunInParts } from "@roundtrip/runner";
import { createHash } from "node:crypto";
import { CliError } from "../basics/cli-error.ts";
import { toolVersion } from "../basics/tool-version.ts";
import { requireKeepable, type HistoryRun } from "./history-run.ts";
import type { MeasuredRevision } from "./measured-revision.ts";

export interface AddOptions {
  /** The revision of a run with this start time. */
  readonly revisionAt: (startedAt: string) => Promise<MeasuredRevision>;
  /** The position in the history, in ISO 8601 in UTC; by default the start time. */
  readonly at?: string;
}

const idDigits = 16;

/** Covers only measured facts, because a later analysis may change the rest of the run file. */
function idOf({ startedAt, seed, durationMs, arms, blocks }: RunFacts): string {
  const text = JSON.stringify({ startedAt, seed, durationMs, arms: arms.map(({ id }) => id), blocks });
  return createHash("sha256").update(text).digest("hex").slice(0, idDigits);
}

function startOf({ startedAt }: RunFacts, path: string): string {
  const startedAtMs = Date.parse(startedAt);
  if (Number.isNaN(startedAtMs)) throw new CliError("usage", `${path} does not say when it was measured`);
  return new Date(startedAtMs).toISOString();
}

export interface RunToAdd {
  readonly run: HistoryRun;
  readonly cells: readonly HistoryRecordCell[];
}

/** Reads and analyses a run. Rejects with a RunnerError `unreadable`, or a CliError `usage` if it is empty, too large, or of an unknown revision. */
export async function runToAdd(path: string, { revisionAt, at }: AddOptions): Promise<RunToAdd> {
  const { facts, parts } = readRunInParts(path);
  const calls = await gatherParts(facts, parts);
  if (calls.length === 0) throw new CliError("usage", `the run in ${path} holds no calls: nothing to keep`);
  const startedAt = startOf(facts, path);
  const revision = await revisionAt(startedAt);
  const figures = summariseArms(facts, calls);
  const { cells, ...kept } = historyRecord(facts, calls, figures);
  const run: HistoryRun = { ...kept, ...revision, id: idOf(facts), startedAt, at: at ?? startedAt, tool: toolVersion };
  requireKeepable(run, cells);
  return { run, cells };
}
