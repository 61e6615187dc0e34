// The runner package, as its users see it.
export { bearerClient } from "./bearer-client.ts";
export { configurationsOf, mostConfigurations, type SettingLevels } from "./configuration.ts";
export { chooseLinkKind, linkNames, loadLinkKind } from "./link/link-kinds.ts";
export { linksWith, type LinkLevels } from "./link/link-levels.ts";
export { linkDefaults, linkLimits, type LinkSettings } from "./link/link-settings.ts";
export type { TcpNeed } from "./link/link.ts";
export { measureRun, type MeasureOptions } from "./measure-run.ts";
export type { ContractSource, ServiceSource } from "./processes/messages.ts";
export { fileFault } from "./run-directory/file-fault.ts";
export { hasRoomForRun } from "./run-directory/has-room-for-run.ts";
export { makeDirectory } from "./run-directory/make-directory.ts";
export { readRun } from "./run-directory/run-directory.ts";
export { writeRunFile } from "./run-directory/run-json.ts";
export type { Progress } from "./run-rounds.ts";
export { RunnerError, type RunnerErrorCode } from "./runner-error.ts";
export { serviceSettingsOf, type ServiceSettings } from "./service-settings.ts";
export { shownUrl, type Target } from "./target.ts";
export type { Order, Plan, Scalar, Step, Study, Task } from "./study.ts";
