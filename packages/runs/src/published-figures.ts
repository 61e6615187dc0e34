// What others have published, in the terms of arms: figures to stand beside a run, and findings with the tests that a run must pass to show them.
import type { Scalar } from "./block-facts.ts";

/** One published figure per task, in the terms of Roundtrip's arms. */
export interface PublishedRow {
  /** The source's name for it, such as `RPC` or `façade`. Rows of one label form one line of a table or a curve. */
  readonly label: string;
  /** The task to compare it with; null for every task of the study. */
  readonly task: string | null;
  /** The style to compare it with; null when the source does not distinguish styles. */
  readonly style: string | null;
  readonly variant: string;
  /** The factor of the sweep, such as `{ attributes: 3 }`; otherwise empty. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Milliseconds per task. A mean over a bulk of 100 is divided by 100 first. */
  readonly meanMs: number;
  readonly stddevMs: number | null;
}

/** Selects the arms with all of these values: `task`, `style`, `variant`, or any factor. */
export type ArmSelector = Readonly<Record<string, Scalar>>;

/** Absent for no limit on that side. */
interface Limits {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * A test by ratios of what arms take, in every cell: among arms that are equal in all that the selectors do not name. `metrics` are names of a
 * report's metrics, of which the sum counts.
 */
export type ArmTest = { readonly metrics: readonly string[] } & (
  | {
      /** Each takes less than the next. */
      readonly kind: "order";
      readonly arms: readonly ArmSelector[];
    }
  | ({
      /** `of` takes so many times as much as `to`; about 1 for equality. */
      readonly kind: "ratio";
      readonly of: ArmSelector;
      readonly to: ArmSelector;
    } & Limits)
  | ({
      /** Between the lowest and the highest level of the factor, what `of` takes grows with this power of it: 0 is not at all, 1 in proportion. */
      readonly kind: "growth";
      readonly of: ArmSelector;
      readonly factor: string;
    } & Limits)
);

/** A test with rules of its own, on a study of load or of waiting. */
export interface SeriesTest {
  readonly kind: "thinking-shortens-round-trips" | "response-explodes-at-capacity" | "knee-moves";
}

export interface PublishedClaim {
  /** A sentence without its full stop: `the cache moves the knee to the right`. */
  readonly found: string;
  readonly test: ArmTest | SeriesTest;
}

/** What one publication has for one study. */
export interface PublishedFigures {
  readonly study: string;
  /** Short, for a table row: `Rablou 2010`. */
  readonly name: string;
  readonly source: string;
  /** What was measured, in one sentence. */
  readonly setting: string;
  /** Limits of the comparison, one sentence each. */
  readonly caveats: readonly string[];
  /** Findings that a run may reproduce; empty where figures are shown side by side. */
  readonly claims: readonly PublishedClaim[];
  readonly rows: readonly PublishedRow[];
}
