// The public API of the conformance suite.
export type { Area, ConformanceCase, Level, Need } from "./case/case.ts";
export { contractSuite, type ContractSuite } from "./any-contract/contract-suite.ts";
export { targetSuite } from "./any-contract/target-suite.ts";
export { targetMisuseCases, type MisuseServer } from "./any-contract/target-suite.ts";
export { serviceSpecificCases, type ServiceSpecificCase } from "./cases.ts";
export { conformanceCases } from "./cases.ts";
export { conformanceContract } from "./case/case-run.ts";
export {
  conformanceSession,
  defaultCaseLimitMs,
  runConformance,
  type CaseResult,
  type ConformanceOptions,
  type ConformanceSession,
} from "./run-conformance.ts";
export {
  localSubject,
  servedDefaults,
  targetSubject,
  type ConformanceSubject,
  type LocalSubjectOptions,
  type Served,
  type ServedSettings,
} from "./case/subject.ts";
