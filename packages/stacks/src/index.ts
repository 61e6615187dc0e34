// The public API of the stacks package.
export {
  allStacks,
  coveringStacks,
  defaultStackNames,
  knownStack,
  stackNames,
  type KnownStack,
} from "./known-stacks.ts";
export { inProcessName, inProcessStack } from "./in-process.ts";
export { localStack, type LocalStack } from "./local-stack.ts";
export { connectTo, libraryStacks, loadConnect, loadServe, loadStack, requireCodecs } from "./registry.ts";
export { watchRefusals, type RefusedRequest } from "./refusals.ts";
export { type LateService, serveOn } from "./serve-on.ts";
export { openSharedPort, type OpenedPort } from "./shared/port/shared-port.ts";
export { settingsWith } from "./shared/settings.ts";
export {
  connectDefaults,
  serveDefaults,
  type Connect,
  type ConnectOptions,
  type ClientBinding,
  type RequestWatch,
  type RunningServer,
  type Serve,
  type ServerBinding,
  type ServedService,
  type ServeOptions,
  type ServerTls,
  type Setting,
  type Settings,
  type SettingValue,
  type SharedPort,
  type Stack,
  type StackDeviation,
} from "./basics/stack.ts";
export { requireLibraries, StackError, type StackErrorCode } from "./basics/stack-error.ts";
