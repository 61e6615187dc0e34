// The public API of the styles package. Bindings load only the entry of their style and side, such as `@roundtrip/styles/rest/server`.
export type { LoggedCall, LoggedCalls, LoggedRequest, ReadLoggedRequest } from "./basics/logged-calls.ts";
export { loadLoggedCalls, loadMisuses, loadRefusals, loadStyle } from "./registry.ts";
export { styleNames } from "./style-names.ts";
export type {
  Deviation,
  HealthProbe,
  Inspection,
  K6Calls,
  Limitation,
  OperationView,
  Style,
  StyleDocument,
} from "./basics/style.ts";
export {
  misuseTitles,
  oddHeaders,
  type Misuse,
  type MisuseTarget,
  type ProtocolMisuse,
  type RawAnswer,
  type Respelling,
} from "./basics/misuse.ts";
export type { NearestOperation, Refusals } from "./basics/refusals.ts";
export { StyleError, type StyleErrorCode } from "./basics/style-error.ts";
