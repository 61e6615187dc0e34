// What a run supports, as data: figures with their uncertainty, and the results that they rest on. Reports make sentences of it.
import type { Anomaly } from "../anomalies/causes.ts";
import type { Predicted } from "../anomalies/model-cells.ts";
import type { BreakEven } from "../comparison/break-even.ts";
import { inverted } from "../comparison/compare-run.ts";
import type { Comparison, Ratio } from "../comparison/comparison.ts";
import type { LibraryPair } from "../comparison/library-pairs.ts";
import type { Crossover } from "../distance/distance-lines.ts";
import type { RoundTrips } from "../distance/round-trips.ts";
import type { CarriedLoad } from "../load/carried-load.ts";
import { summaryFinder, type SummaryOf } from "../metrics/summarise.ts";

/**
 * `clear`: the interval supports it. `likely`: it does, if noise is normal (few rounds). `equal`: no difference beyond 2 %. `open`: the data do not
 * decide. `measured`: a figure without a claim about a difference.
 */
export type Strength = "clear" | "likely" | "equal" | "open" | "measured";

interface About {
  readonly study: string;
  readonly task: string;
  readonly strength: Strength;
  /** What the claim is about; of two that are compared, the numerator first. */
  readonly armIds: readonly string[];
}

/**
 * The first arm takes `ratio` times as long as the second. `style`: the second is the fastest style (the first one in
 * imported samples). `stack`: both are of one style. `setting`: the
 * second has the default. `variant`: the second is the façade. `memory`: the server of the first holds `ratio` times as much at its peak; that of the
 * second holds the least. `in-process`: the second is the same call without a network.
 */
export interface RatioClaim extends About, Ratio {
  readonly kind: "style" | "stack" | "setting" | "variant" | "memory" | "in-process";
}

/** `from`: where lines cross, the first level at which the façade is surely faster, or the last where `line.side` is below; else null. */
export interface BreakEvenClaim
  extends About, Pick<BreakEven, "factor" | "against" | "levels" | "facadeAt" | "otherAt" | "line"> {
  readonly kind: "break-even";
  readonly from: number | null;
}

/** Where other variants than the façade lose over distance, as measured. */
export interface CrossoverClaim
  extends About, Pick<Crossover, "variant" | "aboveMs" | "low" | "high" | "always" | "nearestMs" | "farthestMs"> {
  readonly kind: "crossover";
}

/** Stacks over a distance that was not measured: a task takes `ms` and waits for `roundTrips`. */
export interface DistanceClaim extends About {
  readonly kind: "distance";
  /** One per arm, fastest first. */
  readonly tasks: readonly { readonly ms: number; readonly roundTrips: number }[];
  /** The round-trip time from which all are within 5 %, at the far end of their intervals; null where it is unknown. */
  readonly sameFromMs: number | null;
}

export interface RoundTripsClaim
  extends
    About,
    Pick<
      RoundTrips,
      | "variant"
      | "perCall"
      | "low"
      | "high"
      | "predicted"
      | "predictedMost"
      | "asPredicted"
      | "isFirstCall"
      | "opensConnections"
      | "tls"
    > {
  readonly kind: "round-trips";
}

/** The largest difference that a choice makes; of styles, without server libraries. */
export interface LibraryClaim
  extends About, Ratio, Pick<LibraryPair, "choice" | "style" | "numerator" | "denominator"> {
  readonly kind: "library";
}

export interface LoadClaim
  extends About, Pick<CarriedLoad, "limitMs" | "rateHz" | "low" | "high" | "isGeneratorLimit"> {
  readonly kind: "load";
  readonly bound: CarriedLoad["kind"];
}

export type Claim =
  | RatioClaim
  | BreakEvenClaim
  | CrossoverClaim
  | DistanceClaim
  | RoundTripsClaim
  | LibraryClaim
  | LoadClaim;

/** The strength of a claim from this interval: `likely` with few rounds, since noise may not be normal (docs/method.md). */
export function strengthOfClaim({ basis }: Pick<Ratio, "basis">): "clear" | "likely" {
  return basis === "student-t" ? "likely" : "clear";
}

export function strengthOf(comparison: Pick<Comparison, "verdict" | "basis">): Strength {
  if (comparison.verdict === "different") return strengthOfClaim(comparison);
  return comparison.verdict === "indistinguishable" ? "equal" : "open";
}

/** Whether the ends of an interval are so far apart that no figure stands for it. */
export function isTooWide({ low, high }: { readonly low: number | null; readonly high: number | null }): boolean {
  return low !== null && high !== null && high > 4 * low;
}

export interface ComputedResults extends Predicted {
  readonly comparisons: readonly Comparison[];
  /** Peaks of servers: `numerator` holds `ratio` times the memory of `denominator`. */
  readonly memory: readonly Comparison[];
  readonly breakEvens: readonly BreakEven[];
  readonly crossovers: readonly Crossover[];
  /** Cells outside their model, the farthest first. */
  readonly anomalies: readonly Anomaly[];
  /** The arms of callers whose own blocks show why a prediction may fail, whether it does or not: an error chooses none. */
  readonly disturbed: readonly string[];
  /** What stacks carry within a limit of p99; empty without a capacity search. */
  readonly carriedLoads: readonly CarriedLoad[];
}

export interface Judged extends ComputedResults {
  /** Round trips that one task of an arm waits for on open connections; without arms for which they are not exact. */
  readonly roundTripsOfTasks: ReadonlyMap<string, number>;
}

export interface Evidence {
  readonly measured: Judged;
  readonly summary: SummaryOf;
  /** The comparison with this numerator, inverted if needed. */
  comparison(numeratorId: string, denominatorId: string): Comparison | undefined;
}

export function evidenceOf(measured: Judged): Evidence {
  const comparisons = new Map(
    measured.comparisons
      .flatMap((comparison) => [inverted(comparison), comparison])
      .map((comparison) => [`${comparison.numeratorId} / ${comparison.denominatorId}`, comparison]),
  );
  return {
    measured,
    summary: summaryFinder(measured.summaries),
    comparison: (numeratorId, denominatorId) => comparisons.get(`${numeratorId} / ${denominatorId}`),
  };
}
