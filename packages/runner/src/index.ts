// The public API of the runner package.
export { bearerClient } from "./measure/ready-call.ts";
export {
  configurationsOf,
  type LevelsOfStack,
  mostConfigurations,
  serviceSettingsOf,
  type SettingLevels,
} from "./study/configuration.ts";
export { linkNames, loadLinkKind } from "./link/link-kinds.ts";
export { linkDefaults, type LinkLevels, linkLimits, type LinkSettings, linksWith } from "./study/link-settings.ts";
export { measureRun, usualAnswerLimitMs, type MeasureOptions } from "./measure-run.ts";
export { closedLoop, constantRate, type Pacer, poisson, ramp, recorded } from "./pace/pacers.ts";
export type { Load } from "./pace/load.ts";
export {
  type ContractSource,
  type ServerCommand,
  type ServerSource,
  type ServiceSource,
  shownUrl,
  type Target,
  type Version,
} from "./study/sources.ts";
export { mergedAnswer, type StepAnswer, streamAnswer } from "./measure/merged-answer.ts";
export type { Engine, EnginePart } from "./rounds/round.ts";
export type { Progress, RoundSeen, SideBySideRun } from "./rounds/run-rounds.ts";
export { isLoss, ProcessLoss, RunnerError, type RunnerErrorCode } from "./basics/runner-error.ts";
export {
  type AnswerPosition,
  type Order,
  type Plan,
  saturationLimits,
  sequentialPlan,
  type Step,
  type Study,
  type Task,
  taskDefaults,
} from "./study/study.ts";
export { missingIn } from "./processes/own-server.ts";
