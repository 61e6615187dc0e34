// The mark of ratio intervals from three to five rounds, and its explanation.
import { minimumRounds, type Ratio } from "@roundtrip/analysis";
import { interval, multiple } from "../basics/quantity.ts";

type BasedRatio = Pick<Ratio, "low" | "high" | "basis">;

function assumesNormal({ basis }: BasedRatio): boolean {
  return basis === "student-t";
}

/** `0.35× to 0.66×`, followed by a t where that assumes normal noise. */
export function ratioInterval(ratio: BasedRatio): string {
  return `${interval(ratio.low, ratio.high, multiple)}${assumesNormal(ratio) ? " t" : ""}`;
}

/** The assumption of such intervals, for a caption; empty where no ratio has one. */
export function fewRoundsNote(ratios: readonly BasedRatio[]): string {
  if (!ratios.some(assumesNormal)) return "";
  return `Intervals from fewer than ${minimumRounds} rounds are Student’s t and assume normal noise.`;
}

export function fewRoundsLegend(ratios: readonly BasedRatio[]): string {
  const note = fewRoundsNote(ratios);
  return note === "" ? "" : `t: ${note.charAt(0).toLowerCase()}${note.slice(1)}`;
}
