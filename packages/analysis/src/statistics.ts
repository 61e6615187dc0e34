// The statistics of the analysis, for figures outside of runs: `@roundtrip/analysis/statistics`.
export { quantile, sortedCopy } from "./statistics/describe-samples.ts";
export { maxTIntervals } from "./statistics/max-t.ts";
export { simultaneousIntervals } from "./statistics/simultaneous-intervals.ts";
export { randomFrom, type Random } from "./statistics/random.ts";
export { twoSidedT } from "./statistics/student-t.ts";
export type { Interval } from "./statistics/two-level-bootstrap.ts";
export { libraryEffects, type LibraryEffects } from "./libraries/library-effects.ts";
