// What a reader must know directly below the verdict: which of its figures rest on processes that were not at full speed.
import type { Analysis } from "@roundtrip/analysis";
import { markNote } from "../view/unsettled-mark.ts";

/** One sentence each; may be empty. */
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
