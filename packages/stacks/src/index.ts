// The stacks package, as its users see it.
export { connectTo } from "./connect-to.ts";
export { loadConnect, loadMisuses, loadServe, loadStack, stackNames } from "./registry.ts";
export { settingsWith } from "./settings.ts";
export {
  connectDefaults,
  serveDefaults,
  type Connect,
  type ConnectOptions,
  type Limitation,
  type OperationView,
  type RunningServer,
  type Serve,
  type ServedService,
  type ServeOptions,
  type ServerTls,
  type Setting,
  type Settings,
  type SettingValue,
  type Stack,
  type StyleDocument,
} from "./stack.ts";
export { StackError, type StackErrorCode } from "./stack-error.ts";
