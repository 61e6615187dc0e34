// A closed network for one or more populations or think times, as tables and pictures show it.
import type { AsymptoticBounds, ClosedPrediction, Simulation } from "@roundtrip/analysis/models";

export interface ClosedPoint {
  /** The callers, or the think time in milliseconds, of the class that the sweep changes. */
  readonly at: number;
  readonly prediction: ClosedPrediction;
  /** Null where nothing was simulated. */
  readonly simulated: Simulation | null;
}

export interface ClosedSweep {
  readonly factor: "population" | "thinkMs";
  /** The class that is changed. */
  readonly className: string;
  readonly method: "exact" | "schweitzer";
  readonly points: readonly ClosedPoint[];
  /** From one end of the sweep to the other, for a curve. */
  readonly curve: readonly ClosedPoint[];
  /** Null for several classes, which have no common bounds. */
  readonly bounds: AsymptoticBounds | null;
}
