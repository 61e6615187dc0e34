// The interface of a measure of this project, how its figures compare with their targets, and how they are computed and shown.
import { type Interval, maxTIntervals, quantile, randomFrom, sortedCopy } from "@roundtrip/analysis/statistics";
import { plainIntroducer } from "@roundtrip/report/emphasis";
import { column, inks, type Table, textTable } from "@roundtrip/report/text-table";

export interface Figure {
  /** What is measured, for example `gRPC, hello`. */
  readonly of: string;
  readonly value: number;
  /** 95 %, simultaneous over the figures of the measure if these are of one kind. Null for a single value, or too few rounds. */
  readonly interval: Interval | null;
  /** `×`, `µs`, `s`, …; empty for counts. */
  readonly unit: string;
  /** The largest value that meets the target; undefined without a target. */
  readonly atMost: number | undefined;
}

/** `open`: the interval contains the target, so that either may be true. */
export type TargetResult = "met" | "missed" | "open" | "";

/** How a figure compares with its target; empty without a target. */
export function targetResult({ value, interval, atMost }: Figure): TargetResult {
  if (atMost === undefined) return "";
  const { low, high } = interval ?? { low: value, high: value };
  if (high <= atMost) return "met";
  return low > atMost ? "missed" : "open";
}

export interface MeasureOptions {
  /** Fresh starts of all measured processes. */
  readonly rounds: number;
  readonly seed: number;
  /** Limits a measure to some of its conditions; empty for all. */
  readonly only: readonly string[];
  /** A run directory to compare runs with; undefined if the measure makes one. */
  readonly reference: string | undefined;
  /** The share of its simulated jobs that a measure of the gate makes: above 0, at most 1. */
  readonly share: number;
  readonly onProgress: (text: string) => void;
}

/** What a file in `bench/self/measures/` exports as `measure`. */
export interface Measure {
  readonly name: string;
  /** What its figures are, in one sentence. */
  readonly title: string;
  /** Set if it takes far longer than others: it runs only if it is named. */
  readonly onlyWhenNamed?: true;
  /** The default number of rounds; 1 for a single measurement. */
  readonly rounds: number;
  run(options: MeasureOptions): Promise<readonly Figure[]>;
}

/** Throws an AnalysisError for no values. */
export function median(values: ArrayLike<number>): number {
  return quantile(sortedCopy(values), 0.5);
}

/** NaN for none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface MeanWithInterval {
  readonly mean: number;
  /** Simultaneous 95 % interval; null for too few rounds. */
  readonly interval: Interval | null;
}

/** One result per series. All series are of one kind: each widens its interval by the typical variation of all. */
export function meanIntervals(family: readonly (readonly number[])[], seed: number): readonly MeanWithInterval[] {
  const intervals = maxTIntervals(family, randomFrom(seed, "bench:self"));
  return family.map((values, index) => ({
    mean: mean(values),
    interval: intervals[index] ?? null,
  }));
}

function withUnit(text: string, unit: string): string {
  return unit === "" || unit === "×" ? `${text}${unit}` : `${text} ${unit}`;
}

function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
}

function row(figure: Figure): Table["rows"][number] {
  const { of, value, interval, unit, atMost } = figure;
  return {
    cells: [
      of,
      withUnit(digits(value), unit),
      interval === null ? "" : `${digits(interval.low)} to ${digits(interval.high)}`,
      atMost === undefined ? "" : `≤ ${withUnit(digits(atMost), unit)}`,
      targetResult(figure),
    ],
    role: "measured",
    nested: null,
  };
}

/** Lines for a terminal of this many columns: caption, figures, and the command that measures them again. */
export function figureTable(
  { name, title }: Pick<Measure, "name" | "title">,
  rounds: number,
  figures: readonly Figure[],
  { columns, colour }: { readonly columns: number; readonly colour: boolean },
): readonly string[] {
  const table: Table = {
    id: name,
    caption: `${name}: ${title}`,
    columns: [
      column.start("of"),
      column.end("figure"),
      column.end("95 % interval"),
      column.end("target"),
      column.start("standing"),
    ],
    rows: figures.map(row),
    note: `pnpm bench:self ${name}${rounds > 1 ? ` --rounds ${rounds}` : ""}`,
  };
  return textTable(table, columns, inks(colour ? plainIntroducer : ""));
}
