// What `roundtrip history` does: keeps runs in a file, lists them, tells their trends and hands them on.
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { addRun } from "../history/add-run.ts";
import { exportHistory } from "../history/export-history.ts";
import { HistoryFile } from "../history/history-file.ts";
import { historyActions, requireFitting, type HistoryAction, type HistoryFlags } from "../history/history-flags.ts";
import { listRuns } from "../history/list-runs.ts";
import { addedText } from "../history/history-words.ts";
import { showTrend } from "../history/show-trend.ts";
import { requireKnown } from "../require-known.ts";
import { requireNoInput } from "../require-no-input.ts";

async function add(path: string | undefined, flags: HistoryFlags): Promise<void> {
  if (path === undefined) throw new CliError("usage", "history add needs a run: roundtrip history add RUN");
  using file = HistoryFile.forWriting(flags.history);
  const added = await addRun(file, path, flags);
  const { isNew, run, runs, cells } = added;
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ file: file.path, isNew, runs, cells, run }, null, 2)}\n`
      : addedText(file.path, added),
  );
}

/** Runs the command. Rejects with an error that says what a user can do. */
export async function history(
  typed: string,
  run: string | undefined,
  flags: HistoryFlags,
  command: Command,
): Promise<void> {
  requireKnown("action of history", typed, historyActions);
  const action = typed as HistoryAction;
  requireFitting(action, flags, command);
  if (action === "add") {
    await add(run, flags);
    return;
  }
  if (run !== undefined) throw new CliError("usage", `history ${action} takes no run ("${run}"); history add does`);
  requireNoInput(flags.out === undefined ? [] : [flags.out], [flags.history]);
  using file = HistoryFile.forReading(flags.history);
  if (action === "export") await exportHistory(file, flags);
  else process.stdout.write(action === "list" ? listRuns(file, flags) : await showTrend(file, flags));
}
