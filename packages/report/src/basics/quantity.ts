// Quantities as text: rounded values with their units, and the scale of a column of values.
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from "d3-scale";

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

export interface TimeUnit {
  readonly symbol: "µs" | "ms" | "s";
  readonly perMs: number;
}

const microseconds: TimeUnit = { symbol: "µs", perMs: 1000 };
const milliseconds: TimeUnit = { symbol: "ms", perMs: 1 };
const seconds: TimeUnit = { symbol: "s", perMs: 0.001 };

export const absent = "–";

/** The unit in which the median of these durations reads best. */
export function timeUnitFor(valuesMs: readonly number[]): TimeUnit {
  const sorted = valuesMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 1;
  if (middle < 1) return microseconds;
  return middle < 10_000 ? milliseconds : seconds;
}

// Created once: `toLocaleString` would look up its locale for each number.
const locale = "en-US";
const withDigits = Array.from(
  { length: 7 },
  (_, digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const ofTick = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat(locale);

/** Three significant digits, thousands separated: `0.0412`, `3.14`, `218`, `12,346`. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return absent;
  const digits = size === 0 || size >= 100 ? 0 : Math.min(6, 2 - Math.floor(Math.log10(size)));
  return (withDigits[digits] ?? whole).format(value).replace("-", "−");
}

/** A round number for an axis, without padding zeros: `0.05`, `20`, `5,000`. */
export function tickLabel(value: number): string {
  return ofTick.format(value).replace("-", "−");
}

export function duration(valueMs: number | null | undefined, unit: TimeUnit): string {
  return valueMs === null || valueMs === undefined ? absent : number(valueMs * unit.perMs);
}

export function interval(
  low: number | null | undefined,
  high: number | null | undefined,
  show: (value: number) => string,
): string {
  if (low === null || low === undefined || high === null || high === undefined) return absent;
  return `${show(low)} to ${show(high)}`;
}

export function multiple(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined) return absent;
  return ratio >= 99.5 ? `${number(ratio)}×` : `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`;
}

/** Whole bytes, thousands separated. */
export function bytes(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : whole.format(Math.round(value));
}

export function longDuration(ms: number): string {
  const total = Math.round(ms / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
