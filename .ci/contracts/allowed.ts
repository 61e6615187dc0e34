// Deviations of public contracts that are accepted, each with its reason.
import type { Allowance } from "../outside/suite.ts";

export interface ContractAllowance extends Omit<Allowance, "stacks"> {
  readonly contract: string;
}

// Which of these occur depends on what fakes make up, which changes more often than this list.
const mayOccur = "by chance";

export const allowed: readonly ContractAllowance[] = [
  {
    contract: "firestore",
    id: "* google.firestore.v1.Firestore.GetDocument rest-express *",
    reason: "its path is also one of ListDocuments, which `describe` reports",
    occurs: mayOccur,
  },
  {
    contract: "aiplatform",
    id: "refused google.cloud.aiplatform.v1.VertexRagDataService.*RagEngineConfig * NOT_FOUND",
    reason: "a resource of which each parent has one, without an id (AIP-156): a fake's resources have ids",
    occurs: "in every run",
  },
];
