// A trend with its arm and metric, and their labels.
import type { Trend } from "@roundtrip/analysis";
import { armNames, metricLabel, type NamedArm } from "../comparisons/cell-label.ts";

export interface TrendSeries {
  readonly arm: NamedArm;
  readonly metric: string;
  readonly trend: Trend;
}

/** Returns a function that gives a series its unique name: `REST hello: latency`. */
export function seriesNames(series: readonly TrendSeries[]): (one: TrendSeries) => string {
  const armName = armNames({ cells: series.map(({ arm }) => arm), exact: [] });
  const name = ({ arm, metric }: TrendSeries): string => `${armName(arm)}: ${metricLabel(metric)}`;
  const alike = Map.groupBy(series, name);
  // Two stacks may share a title.
  return (one) => ((alike.get(name(one)) ?? []).length > 1 ? `${name(one)} (${one.arm.stack})` : name(one));
}

const commitId = /^[0-9a-f]{40,64}$/;

/** A commit as git shortens it; other names unchanged. */
export function revisionLabel(revision: string): string {
  return commitId.test(revision) ? revision.slice(0, 10) : revision;
}

/** `2026-01-31 12:00` of an ISO time. */
export function momentLabel(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
