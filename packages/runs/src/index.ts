// The public API of the runs package: the facts of a run, and what readers derive from its arms. Entries of their own: the columns of calls
// (`/call-columns`, `/sample-rows`), reading and writing a run directory (`/read`, `/write`).
export {
  changedSettings,
  configurationKey,
  configurationOf,
  factorKey,
  isAtDefaults,
  keyOf,
  pollsForDueTimes,
  seriesKey,
  settingsOf,
  stackAsSet,
  versionFactor,
  workFactors,
} from "./arm-factors.ts";
export type {
  Block,
  Disturbance,
  EndMemory,
  FirstCall,
  FirstConnection,
  MachineEvidence,
  ProcessEvidence,
  ResidentMemory,
  RoundMemory,
  Scalar,
  TcpEnd,
  TcpEvidence,
  WarmUp,
  WarmUpTrend,
} from "./block-facts.ts";
export type {
  ArmSelector,
  ArmTest,
  ElsewhereTest,
  PublishedClaim,
  PublishedFigures,
  PublishedRow,
  SeriesTest,
} from "./published-figures.ts";
export { RunError, type RunErrorCode } from "./run-error.ts";
export type {
  Arm,
  ArmLoad,
  Capacity,
  CapacityProbe,
  ClosedLoopCell,
  Environment,
  Generator,
  LeftOutCell,
  LeftOutCells,
  LinkLimit,
  RoundTime,
  RunFacts,
  Samples,
  StackAsSet,
  StackIds,
  TargetFacts,
  Verification,
} from "./run-facts.ts";
export { generatorName, idsFromName, isImported } from "./run-facts.ts";
export {
  leftOutReasonText,
  leftOutText,
  processEndText,
  type LeftOutArms,
  type LeftOutReason,
  type ProcessEnd,
  type RunEvent,
  type UnsupportedByGenerator,
  type VoidCalls,
} from "./run-events.ts";
