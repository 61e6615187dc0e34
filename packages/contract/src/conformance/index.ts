// The public API of the conformance suite.
export type { Area, ConformanceCase, Level, Need } from "./case.ts";
export { contractSuite, type ContractSuite } from "./any-contract/contract-suite.ts";
export { targetSuite } from "./any-contract/target-suite.ts";
export { targetMisuseCases, type MisuseServer } from "./any-contract/target-misuse-cases.ts";
export { serviceSpecificCases, type ServiceSpecificCase } from "./service-specific-cases.ts";
export { conformanceCases } from "./cases.ts";
export { conformanceContract } from "../load-contract.ts";
export { knownDeviations } from "./known-deviations.ts";
export {
  misuseRules,
  misuseAnswerLimitMs,
  oddHeaders,
  type Misuse,
  type ProtocolMisuse,
  type Respelling,
  type RespelledExchange,
  type MisuseRule,
  type MisuseTarget,
  type Protocol,
  type RawAnswer,
  type RawExchange,
} from "./misuse.ts";
export { retiredIds } from "./retired-ids.ts";
export {
  conformanceSession,
  defaultCaseLimitMs,
  runConformance,
  type CaseResult,
  type ConformanceOptions,
  type ConformanceSession,
  type KnownDeviation,
} from "./run-conformance.ts";
export {
  localSubject,
  servedDefaults,
  targetSubject,
  type ConformanceSubject,
  type DeclaredLimitation,
  type LocalSubjectOptions,
  type Served,
  type ServedSettings,
} from "./subject.ts";
