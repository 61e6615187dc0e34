// The flags of `roundtrip predict`, and the result of every model.
import type { PredictionChart } from "@roundtrip/report/predictions";
import type { Table } from "@roundtrip/report/text-table";
import type { ClassNumbers } from "../options/number-list.ts";

export interface PredictFlags {
  readonly rateHz?: readonly number[];
  readonly serviceMs?: number;
  readonly servers?: number;
  readonly file?: string;
  readonly population?: ClassNumbers;
  readonly thinkMs?: ClassNumbers;
  /** A run directory. */
  readonly from?: string;
  readonly only?: readonly string[];
  readonly stack?: readonly string[];
  readonly serverMs?: number;
  readonly serverSpeed?: number;
  readonly fartherMs?: number;
  readonly sharedClient: boolean;
  readonly simulate: boolean;
  readonly seed?: number;
  readonly out?: string;
  readonly json: boolean;
}

export interface Prediction {
  readonly tables: readonly Table[];
  readonly charts: readonly PredictionChart[];
  /** The figures unrounded, for `--json`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** The maximum number of simulated points. Each takes up to a second per three stations. */
export function mostSimulated(stations: number): number {
  return Math.min(50, Math.max(1, Math.floor(150 / stations)));
}
