// An open queue at one or more arrival rates, as a table and a picture show it.
import type { OpenPrediction, SimulatedSource } from "@roundtrip/analysis/models";

export interface OpenPoint {
  readonly rateHz: number;
  /** The share of their time that the servers would have to be busy: 1 and more cannot be. */
  readonly utilisation: number;
  /** Null where the load is unstable. */
  readonly prediction: OpenPrediction | null;
  /** Null where nothing was simulated. */
  readonly simulated: SimulatedSource | null;
}

export interface OpenSweep {
  /** As queueing theory calls it: `M/M/1`. */
  readonly model: string;
  /** What stays the same: `10 ms of service, 4 servers`. */
  readonly setting: string;
  readonly capacityHz: number;
  readonly points: readonly OpenPoint[];
  /** Between and around the points, for a curve; stable loads only. */
  readonly curve: readonly OpenPrediction[];
  /** Said below the table; empty when nothing is to be said. */
  readonly note: string;
}
