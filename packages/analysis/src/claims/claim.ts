// What a run supports, as data: figures with their uncertainty. Reports make sentences of it.
import type { BreakEven } from "../comparison/break-even.ts";
import type { Comparison, Ratio } from "../comparison/comparison.ts";
import type { CpuRatio } from "../comparison/cpu-ratios.ts";
import type { Crossover } from "../distance/crossovers.ts";
import type { RoundTrips } from "../distance/round-trips.ts";
import type { EffectRatio } from "../libraries/library-effects.ts";
import type { CarriedLoad } from "../load/carried-load.ts";

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
 * second has the default. `variant`: the second is the façade. `size`: the first has the larger payload.
 */
export interface RatioClaim extends About, Ratio {
  readonly kind: "style" | "stack" | "setting" | "variant" | "size";
}

/** The façade is faster from `from` attributes on; null where no count that was measured is sure. */
export interface BreakEvenClaim extends About, Pick<BreakEven, "attributes" | "low" | "high" | "always"> {
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

/** The largest difference that a choice makes; of styles, without server libraries where that was measured. */
export interface LibraryClaim extends About, EffectRatio {
  readonly kind: "library";
}

/** The CPU time of the slower stack over that of the fastest, and whose it mostly is; null where CPU time does not explain the difference. */
export interface CpuClaim extends About {
  readonly kind: "cpu";
  readonly client: CpuRatio;
  readonly server: CpuRatio;
  readonly cause: "client" | "server" | "both" | null;
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
  | CpuClaim
  | LoadClaim;

/** The strength of a claim from these intervals: `likely` with few rounds, since noise may not be normal (docs/method.md). */
export function strengthOfClaim(...ratios: readonly Pick<Ratio, "basis">[]): "clear" | "likely" {
  return ratios.some(({ basis }) => basis === "student-t") ? "likely" : "clear";
}

export function strengthOf(comparison: Pick<Comparison, "verdict" | "basis">): Strength {
  if (comparison.verdict === "different") return strengthOfClaim(comparison);
  return comparison.verdict === "indistinguishable" ? "equal" : "open";
}

/** Whether the ends of an interval are so far apart that no figure stands for it. */
export function isTooWide(low: number, high: number): boolean {
  return high > 4 * low;
}
