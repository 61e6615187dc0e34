// Adds the run of a measuring command to a history. Checks everything that could prevent that before the measurement.
import { CliError, exitStatus } from "../basics/cli-error.ts";
import { runToAdd } from "./run-to-add.ts";
import { HistoryFile, type Added } from "./history-file.ts";
import { measuredRevision } from "./measured-revision.ts";
import { counted } from "@roundtrip/analysis";
import { revisionLabel } from "@roundtrip/report/trends";

export function addedText(path: string, { isNew, run, runs }: Added, figures: number): string {
  const of = `${revisionLabel(run.revision)} on ${run.branch}`;
  const has = `${path} has ${counted(runs, "run")}`;
  if (!isNew) return `${path} has run ${run.id} already, as ${of}; nothing was changed.\n`;
  return `Added run ${run.id} of ${of}, with ${counted(figures, "figure")}; ${has}.\n`;
}

/**
 * Returns a function that adds a finished run, and reports it on standard error. Rejects with a CliError for an unusable file or unknown revision.
 */
export async function keepingIn(path: string): Promise<(directory: string) => Promise<void>> {
  HistoryFile.forWriting(path)[Symbol.dispose]();
  // Read now: another revision may be checked out when the run ends.
  const revision = await measuredRevision(".", {}, new Date().toISOString());
  return async (directory) => {
    if (process.exitCode === exitStatus.interrupted) {
      process.stderr.write(`The run was interrupted, and is not in ${path}.\n`);
      return;
    }
    try {
      const { run, cells } = await runToAdd(directory, { revisionAt: async () => Promise.resolve(revision) });
      using history = HistoryFile.forWriting(path);
      process.stderr.write(addedText(path, history.add(run, cells), cells.length));
    } catch (thrown) {
      if (!(thrown instanceof CliError)) throw thrown;
      const next = `the run itself is kept: roundtrip history add ${directory} --history ${path}`;
      throw new CliError(thrown.code, `${thrown.message}; ${next}`, { cause: thrown });
    }
  };
}
