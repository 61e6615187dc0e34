// What a reader must know right under the verdict: which figures in it rest on processes that were not at their final speed.
import type { Analysis } from "@roundtrip/analysis";
import { markNote } from "../view/unsettled-mark.ts";

/** One sentence each; empty when nothing is to be said. */
export function cautions(analysis: Pick<Analysis, "arms" | "unsettled" | "warnings">): readonly string[] {
  const settled = markNote(analysis, analysis.arms);
  return [
    ...(settled === "" ? [] : [`${settled} Their names carry the sign below.`]),
    ...(analysis.warnings.some(({ code }) => code === "drift")
      ? [
          "Latency still moved inside the rounds: the warning “drift” says by how much, and what that does to ratios between stacks.",
        ]
      : []),
  ];
}
