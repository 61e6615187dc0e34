// The public API of the analysis package.
export type { Anomaly, Cause, CellEvidence, ProcessShare } from "./anomalies/causes.ts";
export { thresholds as anomalyThresholds } from "./basics/thresholds.ts";
export { analyse, analyseDefaults, analyseGathered, tasksOfRun, type AnalyseOptions } from "./analyse/analyse.ts";
export { AnalysisError, type AnalysisErrorCode } from "./basics/analysis-error.ts";
export { gatherCalls, gatherParts, joinCalls, type GatheredCalls } from "./metrics/gathered-calls.ts";
export { inverted } from "./comparison/compare-run.ts";
export {
  judgedArms,
  representing,
  type JudgedArms,
  type TestedCell,
  type TestedFigures,
  type Verdict,
} from "./published/arm-tests.ts";
export { isOfSeries, judgedRows, judgedSeries } from "./published/series-tests.ts";
export { ownFigures } from "./published/own-figures.ts";
export { describeSamples, sortedCopy, type Description } from "./statistics/describe-samples.ts";
export type { CarriedLoad } from "./load/carried-load.ts";
export type { MeasuredPercentiles, TailPercentile, VoidCell, WithheldPercentiles } from "./metrics/lateness.ts";
export { againstFirst, pairsOf, type ComparedPair } from "./comparison/pairs-of.ts";
export { foreignStudy, fromLongForm, unknownEnvironment, type LongFormRow } from "./from-long-form.ts";
export type { Analysis } from "./analyse/analyse.ts";
export type { BreakEven, BreakEvenLine } from "./comparison/break-even.ts";
export type { Comparison, Ratio } from "./comparison/comparison.ts";
export { libraryPairs, type LibraryPair } from "./comparison/library-pairs.ts";
export { styleTitles } from "./comparison/stack-pairs.ts";
export { distanceOfArm, type Crossover } from "./distance/distance-lines.ts";
export type { Distribution, CallFailures, Metric, Summary } from "./metrics/summarise.ts";
export type {
  BreakEvenClaim,
  Claim,
  CrossoverClaim,
  DistanceClaim,
  LibraryClaim,
  LoadClaim,
  RatioClaim,
  RoundTripsClaim,
  Strength,
} from "./claims/claim.ts";
export { isTooWide } from "./claims/claim.ts";
export { type RoundCount, roundsText } from "./warnings/round-warnings.ts";
export { eventWarning } from "./warnings/record-warnings.ts";
export type { Warning } from "./warnings/warning.ts";
export type { RoundDrift } from "./warnings/round-drift.ts";
export { type RoundTrips, callsInSequence, predictedText } from "./distance/round-trips.ts";
export { type Transfer, pauseCosts, type PauseCost } from "./distance/transfers.ts";
export type { UnsettledStack } from "./warnings/warnings-of.ts";
export type { OperationFigures } from "./metrics/operation-figures.ts";
export { machineUseText, type MachineUse } from "./warnings/machine-use.ts";
export {
  callersPrediction,
  callNetwork,
  type CallDemands,
  type Callers,
  type SeenDemands,
} from "./load/call-network.ts";
export {
  busyDemands,
  changedDemands,
  demandsOf,
  saturatedServerMs,
  type DemandChange,
  type MeasuredTask,
} from "./load/measured-task.ts";
export {
  type ConcurrencyPoint,
  concurrencySeries,
  type ConcurrencySeries,
  predictionErrors,
  type PredictionErrors,
} from "./load/concurrency-series.ts";
export {
  type LoadPoint,
  type LoadSeries,
  openResponses,
  type OpenResponses,
  type ServerDemand,
} from "./load/load-series.ts";
export { isCoarse, largestOf, sweepOf, type Sweep } from "./comparison/leading-cell.ts";
export { lineFit, minimumRounds, tInterval } from "./statistics/student-t.ts";
export type {
  CellState,
  ComparedCell,
  ComparedLatency,
  ComparedMemory,
  MemoryFigures,
  ComparedVersion,
  EnvironmentDifference,
  ExactChange,
  LatencyFigures,
  Recheck,
  UnpairedComparison,
  PairedComparison,
  VersionComparison,
  VersionFigures,
} from "./versions/version-comparison.ts";
export {
  compareRuns,
  compareRunsDefaults,
  type CompareRunsOptions,
  type MeasuredRun,
} from "./versions/compare-runs.ts";
export { compareVersions, type CompareVersionsInput } from "./versions/compare-versions.ts";
export { gateRoundsOf } from "./versions/gate-rounds-of.ts";
export { comparedMetrics, type ComparedMetric } from "./versions/version-pairs.ts";
export { cellId, versionlessId, versionPairs, type VersionPair } from "./versions/version-pairs.ts";
export {
  bytesText,
  counted,
  durationRange,
  durationText,
  listed,
  ratioText,
  threeDigits,
  windowText,
} from "./basics/words.ts";
