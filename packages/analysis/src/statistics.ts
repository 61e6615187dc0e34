// The statistics below an analysis, for figures that are no run: `@roundtrip/analysis/statistics`.
export { quantile, sortedCopy } from "./describe-samples.ts";
export { maxTIntervals } from "./max-t.ts";
export { randomFrom, type Random } from "./random.ts";
export type { Interval } from "./two-level-bootstrap.ts";
