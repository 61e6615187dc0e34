// How far mean value analysis was off for callers who think, fed with what one of them was seen to take.
import { concurrencySeries } from "../load/concurrency-series.ts";
import { median } from "d3-array";
import type { Finding } from "../result.ts";
import { counted, listed, threeDigits } from "../words.ts";
import type { Evidence } from "./evidence.ts";

/** One sentence for the study; none where no callers but the lonely one were measured. */
export function callersPredicted(study: string, { measured }: Evidence): readonly Finding[] {
  const series = concurrencySeries(measured).filter((one) => one.study === study);
  const stacks = [...Map.groupBy(series, ({ alone }) => alone.title)].flatMap(([title, ofStack]) => {
    const points = ofStack.flatMap((one) => one.points.filter(({ isFed, error }) => !isFed && error !== null));
    const off = median(points, ({ error }) => Math.abs(error ?? 0));
    return off === undefined ? [] : [{ title, off, armIds: points.map(({ armId }) => armId) }];
  });
  if (stacks.length === 0) return [];
  const each = stacks.map(({ title, off }) => `${threeDigits(100 * off)} % over ${title}`);
  const armIds = stacks.flatMap((stack) => stack.armIds);
  return [
    {
      code: "callers-predicted",
      study,
      sentence: `Fed with one caller, mean value analysis was off by ${listed(each)} for ${counted(armIds.length, "combination")} of callers, think time and call (median of absolute errors).`,
      strength: "measured",
      armIds,
    },
  ];
}
