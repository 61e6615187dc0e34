// The gate of a CI job (`@roundtrip/analysis/gate`), with the parts of its tests, which benchmarks of the gate use.
export {
  confirm,
  confirmationAlpha,
  confirmationLooks,
  confirmationRounds,
  type CellConfirmation,
  type Confirmation,
} from "./gate/confirm.ts";
export { tie } from "./gate/sign-flip-tests.ts";
export { createCellTest, type CellTest } from "./gate/sign-flip-tests.ts";
export { dependenceWarnings } from "./gate/round-dependence.ts";
export { createFlipSums, type FlipSums } from "./gate/flip-sums.ts";
export type { CellJudgement, GateJudgement, GateState } from "./gate/gate-judgement.ts";
export type { GateCell, GateRounds } from "./gate/gate-judgement.ts";
export { checkGateSettings, gateDefaults, type GateSettings } from "./gate/gate-settings.ts";
export { repeatedIntervals } from "./gate/sign-flip-tests.ts";
export { passedStacks } from "./gate/gate-judgement.ts";
export { signGroup, type SignGroup } from "./gate/sign-group.ts";
export { createJobTest, type JobTest } from "./gate/sign-flip-tests.ts";
export { failSpending, failSpent, passSpending, spentLevel } from "./gate/sign-flip-tests.ts";
export { isOutOfTime, looksOfEnded, looksUpTo, roundLimits, roundsThatFit } from "./gate/gate-settings.ts";
export { judge } from "./gate/judge.ts";
