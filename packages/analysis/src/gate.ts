// The gate of a CI job, for who judges rounds, shows judgements or measures how often they are wrong: `@roundtrip/analysis/gate`.
export {
  confirm,
  confirmationAlpha,
  confirmationLooks,
  confirmationRounds,
  type CellConfirmation,
  type Confirmation,
} from "./gate/confirm.ts";
export { dependenceWarnings } from "./gate/dependence-warnings.ts";
export type { CellJudgement, GateJudgement, GateState } from "./gate/gate-judgement.ts";
export type { GateCell, GateRounds } from "./gate/gate-rounds.ts";
export { checkGateSettings, gateDefaults, type GateSettings } from "./gate/gate-settings.ts";
export { quickVerdict, type QuickVerdict } from "./gate/quick-verdict.ts";
export { repeatedIntervals } from "./gate/repeated-intervals.ts";
export { settledStacks } from "./gate/settled-stacks.ts";
export { signGroup, type SignGroup } from "./gate/sign-group.ts";
export { judge } from "./gate/judge.ts";
