// What sentences rest on, looked up by what they are about.
import { inverted } from "../compare-run.ts";
import type { Analysis, Comparison, Metric, Summary } from "../result.ts";
import type { Arm } from "../run.ts";
import { largestOf } from "../sweep-of.ts";

/** What a verdict is made from. */
export type Measured = Pick<Analysis, "arms" | "summaries" | "comparisons" | "breakEvens"> & {
  /** Largest packet of the link that the run went over; 0 when unknown. */
  readonly mtuBytes: number;
};

/** Arms of one study and task that did the same in the same way, apart from the stack. */
export interface Cell {
  readonly study: string;
  readonly task: string;
  readonly arms: readonly Arm[];
}

export interface Evidence {
  readonly measured: Measured;
  summary(armId: string, metric: Metric): Summary | undefined;
  /** The comparison with this numerator, turned round where it was made the other way. */
  comparison(numeratorId: string, denominatorId: string): Comparison | undefined;
}

/** Look-ups over what was measured. */
export function evidenceOf(measured: Measured): Evidence {
  const summaries = new Map(measured.summaries.map((summary) => [`${summary.metric} ${summary.armId}`, summary]));
  const comparisons = new Map(
    measured.comparisons
      .flatMap((comparison) => [inverted(comparison), comparison])
      .map((comparison) => [`${comparison.numeratorId} / ${comparison.denominatorId}`, comparison]),
  );
  return {
    measured,
    summary: (armId, metric) => summaries.get(`${metric} ${armId}`),
    comparison: (numeratorId, denominatorId) => comparisons.get(`${numeratorId} / ${denominatorId}`),
  };
}

/** The arms of one way to call with the most work (most attributes, largest payload), one for each style. */
export function largestCell(arms: readonly Arm[], study: string, task: string, variant: string): Cell {
  const styles = arms.filter(
    (arm) => arm.study === study && arm.task === task && arm.variant === variant && arm.role === "style",
  );
  return { study, task, arms: largestOf(styles) };
}

/** The coarse way to do a task: one call for all of it. */
export function coarseVariant(arms: readonly Arm[], study: string, task: string): string {
  const variants = arms.filter((arm) => arm.study === study && arm.task === task).map((arm) => arm.variant);
  return variants.includes("facade") ? "facade" : (variants[0] ?? "single");
}
