// What sentences rest on, looked up by what they are about.
import { inverted } from "../comparison/compare-run.ts";
import type { Analysis, Comparison, CpuRatio } from "../result.ts";
import type { Metric, Summary } from "../summary.ts";

/** What a verdict is made from. */
export type Measured = Pick<
  Analysis,
  | "arms"
  | "summaries"
  | "comparisons"
  | "breakEvens"
  | "roundTrips"
  | "crossovers"
  | "cpuRatios"
  | "loadSeries"
  | "anomalies"
  | "carriedLoads"
  | "distributions"
  | "garbage"
> & {
  /** Largest packet of the link that the run went over; 0 when unknown. */
  readonly mtuBytes: number;
  /** Names of the libraries that took part. */
  readonly libraries: readonly string[];
  /** What made the calls that were timed, `k6`; undefined where clients of these libraries did. */
  readonly generator: string | undefined;
};

export interface Evidence {
  readonly measured: Measured;
  summary(armId: string, metric: Metric): Summary | undefined;
  /** The comparison with this numerator, turned round where it was made the other way. */
  comparison(numeratorId: string, denominatorId: string): Comparison | undefined;
  /** The same for CPU time of one of the two processes. */
  cpuRatio(metric: CpuRatio["metric"], numeratorId: string, denominatorId: string): CpuRatio | undefined;
}

/** Look-ups over what was measured. */
export function evidenceOf(measured: Measured): Evidence {
  const summaries = new Map(measured.summaries.map((summary) => [`${summary.metric} ${summary.armId}`, summary]));
  const comparisons = new Map(
    measured.comparisons
      .flatMap((comparison) => [inverted(comparison), comparison])
      .map((comparison) => [`${comparison.numeratorId} / ${comparison.denominatorId}`, comparison]),
  );
  const cpuRatios = new Map(
    measured.cpuRatios
      .flatMap((row) => [inverted(row), row])
      .map((row) => [`${row.metric} ${row.numeratorId} / ${row.denominatorId}`, row]),
  );
  return {
    measured,
    summary: (armId, metric) => summaries.get(`${metric} ${armId}`),
    comparison: (numeratorId, denominatorId) => comparisons.get(`${numeratorId} / ${denominatorId}`),
    cpuRatio: (metric, numeratorId, denominatorId) => cpuRatios.get(`${metric} ${numeratorId} / ${denominatorId}`),
  };
}
