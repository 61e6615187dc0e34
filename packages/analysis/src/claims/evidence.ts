// The results that claims rest on, with look-ups.
import { inverted } from "../comparison/compare-run.ts";
import type { Anomaly } from "../anomalies/anomaly.ts";
import type { Predicted } from "../anomalies/model-cells.ts";
import type { BreakEven } from "../comparison/break-even.ts";
import type { Crossover } from "../distance/crossovers.ts";
import type { CarriedLoad } from "../load/carried-load.ts";
import type { Comparison } from "../comparison/comparison.ts";
import type { CpuRatio } from "../comparison/cpu-ratios.ts";
import type { LibraryEffects } from "../libraries/library-effects.ts";
import type { Metric, Summary } from "../metrics/summarise.ts";

export interface ComputedResults extends Predicted {
  readonly comparisons: readonly Comparison[];
  readonly breakEvens: readonly BreakEven[];
  readonly crossovers: readonly Crossover[];
  /** CPU ratios of stacks at the run's leading task, as one family. */
  readonly cpuRatios: readonly CpuRatio[];
  /** What is the style's and what the library's; empty unless a style was measured with several libraries. */
  readonly libraryEffects: readonly LibraryEffects[];
  /** Cells outside their model, the farthest first. */
  readonly anomalies: readonly Anomaly[];
  /** What stacks carry within a limit of p99; empty without a capacity search. */
  readonly carriedLoads: readonly CarriedLoad[];
}

export interface Judged extends ComputedResults {
  /** Round trips that one task of an arm waits for on open connections; without arms for which they are not exact. */
  readonly roundTripsOfTasks: ReadonlyMap<string, number>;
}

export interface Evidence {
  readonly measured: Judged;
  summary(armId: string, metric: Metric): Summary | undefined;
  /** The comparison with this numerator, inverted if needed. */
  comparison(numeratorId: string, denominatorId: string): Comparison | undefined;
  /** The same for CPU time of one of the two processes. */
  cpuRatio(metric: CpuRatio["metric"], numeratorId: string, denominatorId: string): CpuRatio | undefined;
}

export function evidenceOf(measured: Judged): Evidence {
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
