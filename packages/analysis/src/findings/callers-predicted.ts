// How far mean value analysis was off for callers who think, fed with what one of them was seen to take.
import { concurrencySeries } from "../load/concurrency-series.ts";
import { predictionErrors } from "../load/prediction-errors.ts";
import type { Finding } from "./finding.ts";
import { counted, listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";

/** `12 % over gRPC and 9 % over REST`. */
function offText(stacks: readonly { readonly title: string; readonly off: number | null }[]): string {
  return listed(
    stacks.flatMap(({ title, off }) => (off === null ? [] : [`${threeDigits(100 * off)} % over ${title}`])),
  );
}

/** One sentence for the study; none where no callers but the lonely one were measured. `flagged` are the arms of anomalies. */
export function callersPredicted(
  study: string,
  { measured }: Evidence,
  flagged: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  const series = concurrencySeries(measured).filter((one) => one.study === study);
  const stacks = predictionErrors(series, flagged);
  if (stacks.length === 0) return [];
  const armIds = stacks.flatMap((stack) => stack.armIds);
  const leftOut = stacks.reduce((sum, stack) => sum + stack.flagged, 0);
  const all = offText(stacks.map(({ title, median: off }) => ({ title, off })));
  const others = offText(stacks.map(({ title, medianOfOthers: off }) => ({ title, off })));
  const without =
    leftOut === 0 || others === ""
      ? ""
      : `; without the ${counted(leftOut, "combination")} flagged as not fitting, ${others}`;
  return [
    {
      code: "callers-predicted",
      study,
      sentence: `Fed with one caller, mean value analysis was off by ${all} for ${counted(armIds.length, "combination")} of callers, think time and call (median of absolute errors)${without}.`,
      strength: "measured",
      armIds,
    },
  ];
}
