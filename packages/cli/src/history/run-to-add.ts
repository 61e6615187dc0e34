// From a run directory to a run of a history.
import {
  analyseDefaults,
  figuresOfArms,
  gatherParts,
  keptRun,
  type KeptCell,
  type RunFacts,
} from "@roundtrip/analysis";
import { readRunInParts } from "@roundtrip/runner";
import { createHash } from "node:crypto";
import { CliError } from "../basics/cli-error.ts";
import { toolVersion } from "../basics/tool-version.ts";
import { requireKeepable, type HistoryRun } from "./history-run.ts";
import type { MeasuredRevision } from "./measured-revision.ts";

export interface AddOptions {
  /** Of a run that was measured then. */
  readonly revisionAt: (startedAt: string) => Promise<MeasuredRevision>;
  /** Where it stands in the history: ISO 8601 in UTC; when it was measured unless this says otherwise. */
  readonly at?: string;
}

const idDigits = 16;

/** Of what was measured, and nothing that a later analysis may write into the run file. */
function idOf({ startedAt, seed, durationMs, arms, blocks }: RunFacts): string {
  const text = JSON.stringify({ startedAt, seed, durationMs, arms: arms.map(({ id }) => id), blocks });
  return createHash("sha256").update(text).digest("hex").slice(0, idDigits);
}

function startOf({ startedAt }: RunFacts, path: string): string {
  const startedAtMs = Date.parse(startedAt);
  if (Number.isNaN(startedAtMs)) throw new CliError("usage", `${path} does not say when it was measured`);
  return new Date(startedAtMs).toISOString();
}

/** A run with its figures, ready to be added. */
export interface RunToAdd {
  readonly run: HistoryRun;
  readonly cells: readonly KeptCell[];
}

/**
 * Reads and analyses a run directory. Rejects with a RunnerError `unreadable`, or with a CliError `usage` for a run that holds nothing or too
 * much, or whose revision is not known.
 */
export async function runToAdd(path: string, { revisionAt, at }: AddOptions): Promise<RunToAdd> {
  const { facts, parts } = readRunInParts(path);
  const calls = await gatherParts(facts, parts);
  if (calls.length === 0) throw new CliError("usage", `the run in ${path} holds no calls: nothing to keep`);
  const startedAt = startOf(facts, path);
  const revision = await revisionAt(startedAt);
  const figures = figuresOfArms(facts, calls, { ...analyseDefaults, seed: facts.seed });
  const { cells, ...kept } = keptRun(facts, calls, figures);
  const run: HistoryRun = { ...kept, ...revision, id: idOf(facts), startedAt, at: at ?? startedAt, tool: toolVersion };
  requireKeepable(run, cells);
  return { run, cells };
}
