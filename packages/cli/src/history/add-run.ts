// From a run directory to a run of a history.
import { analyseDefaults, analyseGathered, gatherParts, keptRun, type RunFacts } from "@roundtrip/analysis";
import { readRunInParts } from "@roundtrip/runner";
import { createHash } from "node:crypto";
import { CliError } from "../cli-error.ts";
import { toolVersion } from "../tool-version.ts";
import type { Added, HistoryFile } from "./history-file.ts";
import { requireKeepable, type HistoryRun } from "./history-run.ts";
import { measuredRevision, type RevisionFlags } from "./measured-revision.ts";

export interface AddFlags extends RevisionFlags {
  /** ISO 8601 in UTC. */
  readonly at?: string;
}

const idDigits = 16;

/** Of what was measured, and nothing that a later analysis may write into the run file. */
function idOf({ startedAt, seed, durationMs, arms, blocks }: RunFacts): string {
  const told = JSON.stringify({ startedAt, seed, durationMs, arms: arms.map(({ id }) => id), blocks });
  return createHash("sha256").update(told).digest("hex").slice(0, idDigits);
}

function startOf({ startedAt }: RunFacts, path: string): string {
  const startedAtMs = Date.parse(startedAt);
  if (Number.isNaN(startedAtMs)) throw new CliError("usage", `${path} does not say when it was measured`);
  return new Date(startedAtMs).toISOString();
}

/**
 * Adds the run of a directory to a history, unless it is there. Rejects with a RunnerError `unreadable`, or with a CliError: `usage` for a run
 * that holds nothing or whose revision is not known, `unavailable` for a file that cannot be written.
 */
export async function addRun(
  history: HistoryFile,
  path: string,
  flags: AddFlags,
): Promise<Added & { readonly cells: number }> {
  const { facts, parts } = readRunInParts(path);
  const calls = await gatherParts(facts, parts);
  if (calls.length === 0) throw new CliError("usage", `the run in ${path} holds no calls: nothing to keep`);
  const startedAt = startOf(facts, path);
  const revision = await measuredRevision(".", flags, startedAt);
  const analysis = analyseGathered(facts, calls, { ...analyseDefaults, seed: facts.seed, pairs: () => [] });
  const { cells, ...kept } = keptRun(facts, calls, analysis);
  const run: HistoryRun = {
    ...kept,
    ...revision,
    id: idOf(facts),
    startedAt,
    at: flags.at ?? startedAt,
    tool: toolVersion,
  };
  requireKeepable(run, cells);
  return { ...history.add(run, cells), cells: cells.length };
}
