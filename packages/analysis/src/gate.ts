// The gate of a CI job (`@roundtrip/analysis/gate`).
export {
  confirm,
  confirmationAlpha,
  confirmationLooks,
  confirmationRounds,
  type CellConfirmation,
  type Confirmation,
} from "./gate/confirm.ts";
export { dependenceWarnings } from "./gate/round-dependence.ts";
export type { CellJudgement, GateJudgement, GateState } from "./gate/gate-judgement.ts";
export type { GateCell, GateRounds } from "./gate/gate-judgement.ts";
export { checkGateSettings, gateDefaults, type GateSettings } from "./gate/gate-settings.ts";
export { passedStacks } from "./gate/gate-judgement.ts";
export { isOutOfTime, looksOfEnded, looksUpTo, roundLimits, roundsThatFit } from "./gate/gate-settings.ts";
export { judge } from "./gate/judge.ts";
