// The public API of the k6 package.
export { K6Error, type K6ErrorCode } from "./basics/k6-error.ts";
export { exportFiles, writeExport, type ExportFile } from "./export/export-files.ts";
export { contractImage, type ContractImage } from "./plan/contract-image.ts";
export type { ServedBy } from "./export/export-readme.ts";
export {
  callsIn,
  type K6Arm,
  type K6Cell,
  type K6GrpcRequest,
  type K6HttpRequest,
  type K6Plan,
  type K6Server,
  type K6Step,
  lengthMs,
} from "./plan/k6-plan.ts";
export { k6ArmsOf, type K6Arms, type ServerFacts } from "./plan/k6-arms.ts";
export { readPlans } from "./plan/plan-file.ts";
export { patientTiming, planOf, type CellTiming, type RoundToPlan } from "./plan/plan-of.ts";
export { importRun } from "./engine/import-run.ts";
export { k6Engine, type K6EngineOptions } from "./engine/k6-engine.ts";
export { findK6, type K6Program } from "./instances/find-k6.ts";
export { kubernetesFiles, type KubernetesOptions, type KubernetesServer } from "./kubernetes/kubernetes.ts";
