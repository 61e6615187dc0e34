// The interface of a measure of this project, and how its figures compare with their targets.
import type { Interval } from "@roundtrip/analysis/statistics";

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
