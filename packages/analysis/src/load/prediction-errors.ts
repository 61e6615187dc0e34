// How far mean value analysis was off, stack by stack: over the cells that it did predict, and of these over those that fit.
import { groupsOf } from "../basics/groups-of.ts";
import { median } from "d3-array";
import { configurationOf, stackAsSet } from "../run/arm-factors.ts";
import type { StackAsSet } from "../run/stack-ids.ts";
import type { ConcurrencySeries } from "./concurrency-series.ts";

/** Of one stack as it was set. Errors are shares of what was measured: 0.1 is a tenth. */
export interface PredictionErrors extends StackAsSet {
  /** The cells that count, in the order of the run: measured, and not fed to the model. */
  readonly armIds: readonly string[];
  /** The middle one of the absolute errors. */
  readonly median: number;
  /** The largest absolute error. */
  readonly largest: number;
  /** How many of the cells were flagged as anomalies. */
  readonly flagged: number;
  /** The middle one over the cells that were not; null where all were. */
  readonly medianOfOthers: number | null;
}

/** In the order of the series; stacks of which nothing was predicted are left out. `flagged` are the arms of anomalies. */
export function predictionErrors(
  series: readonly ConcurrencySeries[],
  flagged: ReadonlySet<string>,
): readonly PredictionErrors[] {
  return groupsOf(series, ({ alone }) => configurationOf(alone)).flatMap((ofStack) => {
    const cells = ofStack
      .flatMap(({ points }) => points)
      .flatMap(({ armId, error, isFed }) => (isFed || error === null ? [] : [{ armId, off: Math.abs(error) }]));
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
