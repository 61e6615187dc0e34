// What a measure of this project is, and how its figures are held against their targets.
import type { Interval } from "@roundtrip/analysis/statistics";

/** One figure of a measure. */
export interface Figure {
  /** What was measured, for example `gRPC, hello`. */
  readonly of: string;
  readonly value: number;
  /** 95 %; simultaneous over the measure's figures where these are of one kind. Null where one run gives one value, or rounds are too few. */
  readonly interval: Interval | null;
  /** `×`, `µs`, `s`, …; empty for counts. */
  readonly unit: string;
  /** The largest value that meets the target; undefined for a figure without a target. */
  readonly atMost: number | undefined;
}

/** `open`: the interval holds the target, so that either may be true. */
export type Standing = "met" | "missed" | "open" | "";

/** How a figure stands against its target; empty without one. */
export function standingOf({ value, interval, atMost }: Figure): Standing {
  if (atMost === undefined) return "";
  const { low, high } = interval ?? { low: value, high: value };
  if (high <= atMost) return "met";
  return low > atMost ? "missed" : "open";
}

export interface MeasureOptions {
  /** Fresh starts of everything that is measured. */
  readonly rounds: number;
  readonly seed: number;
  /** Under which of its conditions a measure that has some is taken; empty for all. */
  readonly only: readonly string[];
  /** A run directory to hold runs against; undefined where the measure makes one. */
  readonly reference: string | undefined;
  /** Called with what is being done. */
  readonly onProgress: (text: string) => void;
}

/** What a file in `bench/self/measures/` exports as `measure`. */
export interface Measure {
  readonly name: string;
  /** What its figures are, in one sentence. */
  readonly title: string;
  /** Set where it takes far longer than others: it is left out unless it is named. */
  readonly onlyWhenNamed?: true;
  /** Rounds unless the caller says otherwise; 1 for what is measured once. */
  readonly rounds: number;
  run(options: MeasureOptions): Promise<readonly Figure[]>;
}
