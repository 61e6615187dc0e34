// What is said of a run that was added, or was there.
import { counted } from "@roundtrip/analysis";
import { revisionLabel } from "@roundtrip/report/trends";
import type { Added } from "./history-file.ts";

/** One line. */
export function addedText(path: string, { isNew, run, runs }: Added, figures: number): string {
  const of = `${revisionLabel(run.revision)} on ${run.branch}`;
  const has = `${path} has ${counted(runs, "run")}`;
  if (!isNew) return `${path} has run ${run.id} already, as ${of}; nothing was changed.\n`;
  return `Added run ${run.id} of ${of}, with ${counted(figures, "figure")}; ${has}.\n`;
}
