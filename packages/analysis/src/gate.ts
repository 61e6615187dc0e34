// The gate of a CI job (`@roundtrip/analysis/gate`), with the parts of its tests, which benchmarks of the gate use.
export {
  confirm,
  confirmationAlpha,
  confirmationLooks,
  confirmationRounds,
  type CellConfirmation,
  type Confirmation,
} from "./gate/confirm.ts";
export { tie } from "./gate/boundary.ts";
export { createCellTest, type CellTest } from "./gate/cell-test.ts";
export { dependenceWarnings } from "./gate/round-dependence.ts";
export { createFlipSums, type FlipSums } from "./gate/flip-sums.ts";
export type { CellJudgement, GateJudgement, GateState } from "./gate/gate-judgement.ts";
export type { GateCell, GateRounds } from "./gate/gate-rounds.ts";
export { checkGateSettings, gateDefaults, type GateSettings } from "./gate/gate-settings.ts";
export { repeatedIntervals } from "./gate/repeated-intervals.ts";
export { passedStacks } from "./gate/gate-judgement.ts";
export { signGroup, type SignGroup } from "./gate/sign-group.ts";
export { createJobTest, type JobTest } from "./gate/job-test.ts";
export { failSpending, failSpent, passSpending, spentLevel } from "./gate/spending.ts";
export { isOutOfTime, looksOfEnded, looksUpTo, roundLimits, roundsThatFit } from "./gate/round-plan.ts";
export { judge } from "./gate/judge.ts";
