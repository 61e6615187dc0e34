// The axis that box plots share, in text and in pictures: logarithmic for a wide range.
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";

/** From this ratio of largest to smallest on, a linear axis would squeeze the boxes to lines. */
const logarithmicFrom = 20;

export type ScaleKind = "linear" | "log";

export function scaleKindFor(values: readonly number[]): ScaleKind {
  const low = Math.min(...values);
  return low > 0 && Math.max(...values) / low > logarithmicFrom ? "log" : "linear";
}

/** Maps values to 0…1 with a small margin at both ends. */
export function valueScale(values: readonly number[]): ScaleContinuousNumeric<number, number> {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (scaleKindFor(values) === "log") return scaleLog([low / 1.08, high * 1.08], [0, 1]);
  const air = (high - low) * 0.04 || high * 0.1 || 1;
  return scaleLinear([low >= 0 ? Math.max(0, low - air) : low - air, high + air], [0, 1]);
}

/** Ticks of such an axis: at most `count` round numbers; on a logarithmic one 1, 2 and 5 of each decade, or fewer. */
export function axisTicks(values: readonly number[], count: number): readonly number[] {
  const ticks = valueScale(values).ticks(count);
  if (scaleKindFor(values) === "linear") return ticks;
  const leading = (digits: string): readonly number[] =>
    ticks.filter((tick) => digits.includes(tick.toExponential(0).charAt(0)));
  return [leading("125"), leading("15"), leading("1")].find(({ length }) => length <= count) ?? leading("1");
}
