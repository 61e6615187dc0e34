// The statistics of the analysis, for figures outside of runs: `@roundtrip/analysis/statistics`.
export { quantile, sortedCopy } from "./statistics/describe-samples.ts";
export { maxTIntervals, simultaneousIntervals } from "./statistics/simultaneous-intervals.ts";
export { randomFrom, type Random } from "./statistics/random.ts";
export { pairedLogRatios } from "./statistics/paired-log-ratio.ts";
export { tInterval, twoSidedT, type Interval, type ValuesByRound } from "./statistics/student-t.ts";
