// The runs of a branch.
import { CliError } from "../basics/cli-error.ts";
import { suggestion } from "@roundtrip/contract/text";
import type { HistoryFile } from "./history-file.ts";
import type { HistoryRun } from "./history-run.ts";

const usualBranch = "main";

/** More runs make change points slow and plots unreadable. */
export const mostRuns = 1_000;

/** The latest runs of one branch. Throws a usage error with the existing branches if it has no runs. */
export function runsOfBranch(history: HistoryFile, typed: string | undefined, last: number): readonly HistoryRun[] {
  const branch = typed ?? usualBranch;
  const runs = history.runs({ branch, last });
  if (runs.length > 0) return runs;
  const known = [...history.branches().keys()];
  const which = known.length === 0 ? "it has none at all" : `say with --branch which (valid: ${known.join(", ")})`;
  throw new CliError("usage", `${history.path} has no runs of branch ${branch}; ${which}${suggestion(branch, known)}`);
}
