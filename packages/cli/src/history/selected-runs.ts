// The runs of a branch.
import { CliError } from "../basics/cli-error.ts";
import { suggestion } from "@roundtrip/contract/nearest-name";
import type { HistoryFile } from "./history-file.ts";
import type { HistoryRun } from "./history-run.ts";

/** Whose trend is asked for most. */
const usualBranch = "main";

/** Change points of more take long, and nobody sees them in one picture. */
export const mostRuns = 1_000;

/** The last runs of one branch. Throws a usage error, with the branches that there are, for one that has none. */
export function runsOfBranch(history: HistoryFile, typed: string | undefined, last: number): readonly HistoryRun[] {
  const branch = typed ?? usualBranch;
  const runs = history.runs({ branch, last });
  if (runs.length > 0) return runs;
  const known = [...history.branches().keys()];
  const which = known.length === 0 ? "it has none at all" : `say with --branch which (valid: ${known.join(", ")})`;
  throw new CliError("usage", `${history.path} has no runs of branch ${branch}; ${which}${suggestion(branch, known)}`);
}
