// The action of `roundtrip history`: keeps runs in a file, lists them, prints trends, and exports them.
import type { Command } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";
import { runToAdd } from "../history/run-to-add.ts";
import { exportHistory } from "../history/export-history.ts";
import { HistoryFile } from "../history/history-file.ts";
import { historyActions, requireFitting, type HistoryAction, type HistoryFlags } from "../history/history-flags.ts";
import { usualHistoryPath } from "../history/history-option.ts";
import { listRuns } from "../history/list-runs.ts";
import { addedText } from "../history/keep-run.ts";
import { measuredRevision } from "../history/measured-revision.ts";
import { showTrend } from "../history/show-trend.ts";
import { requireNoInput } from "../output/output-file.ts";

async function add(path: string | undefined, flags: HistoryFlags): Promise<void> {
  if (path === undefined) throw new CliError("usage", "history add needs a run: roundtrip history add RUN");
  const { run, cells } = await runToAdd(path, {
    revisionAt: async (startedAt) => measuredRevision(".", flags, startedAt),
    ...(flags.at === undefined ? {} : { at: flags.at }),
  });
  using file = HistoryFile.forWriting(flags.history ?? usualHistoryPath);
  const added = file.add(run, cells);
  const document = { file: file.path, ...added, figures: cells.length };
  process.stdout.write(
    flags.json ? `${JSON.stringify(document, null, 2)}\n` : addedText(file.path, added, cells.length),
  );
}

/** Runs the command. Rejects with an error that states what to do. */
export async function history(
  typed: string,
  run: string | undefined,
  flags: HistoryFlags,
  command: Command,
): Promise<void> {
  requireKnown("action", typed, historyActions, "history");
  const action = typed as HistoryAction;
  requireFitting(action, flags, command);
  if (action === "add") {
    await add(run, flags);
    return;
  }
  if (run !== undefined) throw new CliError("usage", `history ${action} takes no run ("${run}"); history add does`);
  const path = flags.history ?? usualHistoryPath;
  requireNoInput(flags.out === undefined ? [] : [flags.out], [path]);
  using file = HistoryFile.forReading(path);
  if (action === "export") await exportHistory(file, flags);
  else process.stdout.write(action === "list" ? listRuns(file, flags) : await showTrend(file, flags));
}
