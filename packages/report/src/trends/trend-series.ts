// A trend with what it is of, and what both are called.
import type { Trend } from "@roundtrip/analysis";
import { armNames, metricLabel, type NamedArm } from "../comparisons/cell-label.ts";

/** One metric of one arm over a history. */
export interface TrendSeries {
  readonly arm: NamedArm;
  readonly metric: string;
  readonly trend: Trend;
}

/** Gives a series' name: `REST hello: latency`. */
export function seriesNames(series: readonly TrendSeries[]): (one: TrendSeries) => string {
  const name = armNames({ cells: series.map(({ arm }) => arm), exact: [] });
  return ({ arm, metric }) => `${name(arm)}: ${metricLabel(metric)}`;
}

const commitId = /^[0-9a-f]{40,64}$/;

/** A commit as git shortens it; any other name as it is. */
export function revisionLabel(revision: string): string {
  return commitId.test(revision) ? revision.slice(0, 10) : revision;
}

/** `2026-01-31 12:00` of an ISO time. */
export function momentLabel(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
