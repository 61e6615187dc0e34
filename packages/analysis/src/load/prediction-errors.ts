// Errors of mean value analysis by stack: over all predicted cells, and over those that are no anomalies.
import { groupsOf } from "../basics/groups-of.ts";
import { median } from "d3-array";
import { configurationOf, stackAsSet } from "../run/arm-factors.ts";
import type { StackAsSet } from "../run/stack-ids.ts";
import type { ConcurrencySeries } from "./concurrency-series.ts";

/** Errors of one stack with its settings, as shares of the measured value: 0.1 is a tenth. */
export interface PredictionErrors extends StackAsSet {
  /** The cells that count, in the order of the run: measured, and no input of the model. */
  readonly armIds: readonly string[];
  readonly median: number;
  readonly largest: number;
  /** Number of cells that are anomalies. */
  readonly flagged: number;
  /** Median over the other cells; null without any. */
  readonly medianOfOthers: number | null;
}

/** In the order of the series, without stacks that have no prediction. `flagged` are the arms of anomalies. */
export function predictionErrors(
  series: readonly ConcurrencySeries[],
  flagged: ReadonlySet<string>,
): readonly PredictionErrors[] {
  return groupsOf(series, ({ alone }) => configurationOf(alone)).flatMap((ofStack) => {
    const cells = ofStack
      .flatMap(({ points }) => points)
      .flatMap(({ armId, error, isModelInput }) =>
        isModelInput || error === null ? [] : [{ armId, off: Math.abs(error) }],
      );
    const middle = median(cells, ({ off }) => off);
    if (middle === undefined) return [];
    const others = cells.filter(({ armId }) => !flagged.has(armId));
    return {
      ...stackAsSet(ofStack[0].alone),
      armIds: cells.map(({ armId }) => armId),
      median: middle,
      largest: Math.max(...cells.map(({ off }) => off)),
      flagged: cells.length - others.length,
      medianOfOthers: median(others, ({ off }) => off) ?? null,
    };
  });
}
