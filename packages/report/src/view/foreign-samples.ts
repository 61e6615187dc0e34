// Samples of another tool: what is not known about them must not be claimed.
import { foreignStudy } from "@roundtrip/analysis";
import type { ReportInput } from "./report-input.ts";

/** True when nothing in the run was measured by this project: then rounds, placement and verification are not known. */
export function isForeign({ facts }: Pick<ReportInput, "facts">): boolean {
  return facts.arms.length > 0 && facts.arms.every(({ study }) => study === foreignStudy);
}
