// The public API of the styles package. Bindings load only the entry of their style and side, such as `@roundtrip/styles/rest/server`.
export { loadLoggedCalls, loadMisuses, loadRefusals, loadStyle } from "./registry.ts";
export { StyleError, type StyleErrorCode, styleNames } from "./style-names.ts";
export { listedLosses } from "./basics/style.ts";
export type {
  Deviation,
  HealthProbe,
  Inspection,
  K6Calls,
  Limitation,
  LoggedCall,
  LoggedCalls,
  LoggedRequest,
  NearestOperation,
  OperationView,
  ReadLoggedRequest,
  Refusals,
  Style,
  StyleDocument,
} from "./basics/style.ts";
export {
  misuseTitles,
  oddHeaders,
  type DocumentAnswer,
  type Misuse,
  type MisuseTarget,
  type ProtocolMisuse,
  type RawAnswer,
  type Respelling,
} from "./basics/misuse.ts";
