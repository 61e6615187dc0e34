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
  /** The factors of its arm here, such as `{ attributes: 3 }`; may be empty. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** What distinguishes it from other rows of its label, as printed; absent if that is its factors. */
  readonly printed?: Readonly<Record<string, Scalar>>;
  /** Milliseconds per task; null where it is not legible. */
  readonly meanMs: number | null;
  readonly stddevMs: number | null;
  /** A figure in no milliseconds: of the report's metric of this name, and null where the source only draws it. `meanMs` is then null. */
  readonly counted?: { readonly metric: string; readonly value: number | null };
  /** Milliseconds per task of each repetition, in their order. */
  readonly roundMeansMs?: readonly number[];
  /** Calls behind the mean and its standard deviation. */
  readonly iterations?: number;
  /** It is the least or the largest first call, which no mean contains. */
  readonly firstCall?: "min" | "max";
  /** What a task carries, as the source counts it. */
  readonly payloadBytes?: number;
  /** What the source's model predicted. */
  readonly predictedMs?: number | null;
  /** What was measured before the source mended a fault; null where it is not legible. */
  readonly faultyMs?: number | null;
  readonly faultyStddevMs?: number | null;
  /** The network that was predicted, as `roundtrip predict mva` reads it. */
  readonly network?: unknown;
}

/** Selects the arms with all of these values: `task`, `style`, `variant`, or any factor; an empty value selects arms without the factor. */
export type ArmSelector = Readonly<Record<string, Scalar>>;

/** Absent for no limit on that side. */
interface Limits {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * A test by ratios of what arms take, in every cell: among arms that are equal in all that the selectors do not name. `metrics` are names of a
 * report's metrics, of which the sum counts; the latency unless named.
 */
export type ArmTest = { readonly metrics?: readonly string[] } & (
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
      /** The metrics of `to`, if they are others. */
      readonly toMetrics?: readonly string[];
    } & Limits)
  | ({
      /** A call of `of` waits for so many round trips, or for so many more than one of `beyond`. */
      readonly kind: "round-trips";
      readonly of: ArmSelector;
      readonly beyond?: ArmSelector;
    } & Limits)
  | ({
      /** Between the lowest and the highest level of the factor, what `of` takes grows with this power of it: 0 is not at all, 1 in proportion. */
      readonly kind: "growth";
      readonly of: ArmSelector;
      readonly factor: string;
    } & Limits)
);

/** A test on a series of load or of waiting, beside its model. Shares of a capacity and of a prediction: 0.1 is a tenth. */
export type SeriesTest =
  | ({
      /** The response time at the highest rate of at most `upTo` of one processor's capacity, or at the lowest of at least `from`, over that at the lowest. */
      readonly kind: "response-over-load";
      readonly upTo?: number;
      readonly from?: number;
    } & Limits)
  | {
      /**
       * At every rate below capacity, the response time is that of a queue: 1 / (μ − λ) with μ from a lone caller's response time; M/M/1 with μ from the server's
       * processor time; or one server that takes the arrivals of the run, with constant work.
       */
      readonly kind: "queue-agrees";
      readonly model: "response" | "processor" | "arrivals";
      readonly within: number;
    }
  | {
      /** The largest median error of the predictions of mean value analysis, as a share of what was measured. */
      readonly kind: "model-agrees";
      readonly atMost: number;
    }
  | {
      /** An event by event simulation of the same network gives what mean value analysis predicts. */
      readonly kind: "simulation-agrees";
      readonly within: number;
    };

/** What no run of the study can show. */
export interface ElsewhereTest {
  readonly kind: "elsewhere";
  /** What is missing, as a noun phrase. */
  readonly needs: string;
  /** The command that shows it where that is present. */
  readonly command?: string | undefined;
}

export interface PublishedClaim {
  /** A sentence without its full stop: `the cache moves the knee to the right`. */
  readonly found: string;
  readonly test: ArmTest | SeriesTest | ElsewhereTest;
  /** Where the reason is known why it does not hold here, or not for sure: a sentence without its full stop. */
  readonly otherwise?: string;
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
