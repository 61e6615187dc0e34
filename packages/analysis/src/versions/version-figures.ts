// The figures of one version's arms: the summaries of its analysis, with the outliers of a box plot.
import type { Analysis } from "../analyse/analysis.ts";
import type { Metric } from "../metrics/summarise.ts";
import type { VersionFigures } from "./version-comparison.ts";

/** A picture in a comment has few pixels for them. */
const mostOutliers = 40;

function thinned(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length <= mostOutliers) return sorted;
  const stride = (sorted.length - 1) / (mostOutliers - 1);
  return Array.from({ length: mostOutliers }, (_, index) => sorted[Math.round(index * stride)] as number);
}

export function versionFigures({
  summaries,
  distributions,
}: Pick<Analysis, "summaries" | "distributions">): (armId: string, metric: Metric) => VersionFigures | undefined {
  const outliersOf = new Map(distributions.map(({ armId, outliersDrawn }) => [armId, outliersDrawn]));
  const rows = new Map(
    summaries.map(({ metric, ...row }) => {
      const outliers = metric === "latencyMs" ? (outliersOf.get(row.armId) ?? []) : [];
      return [`${row.armId} ${metric}`, { ...row, outliersDrawn: thinned(outliers) }];
    }),
  );
  return (armId, metric) => rows.get(`${armId} ${metric}`);
}
