// What the manifests of an export are made from.
import type { ExportFile } from "../export/export-files.ts";
import type { HealthProbe } from "@roundtrip/styles";
import type { K6Server } from "../plan/k6-plan.ts";

/** A server that k6 calls. */
export interface KubernetesServer extends K6Server {
  /** Where it runs already; undefined has it run in the cluster. */
  readonly url: string | undefined;
  readonly health: HealthProbe | undefined;
}

export interface KubernetesOptions {
  /** What the objects are named after: a DNS label (RFC 1123) of at most 40 characters, for names are made longer. */
  readonly name: string;
  readonly namespace: string;
  /** The image that servers run from; its entry point is `roundtrip`. */
  readonly image: string;
  /** Instances of k6, each a pod. */
  readonly instances: number;
  /** Whether all pods share a node, so that no volume has to be on several at once. */
  readonly isOneNode: boolean;
  /** Calls of one round, from which the room for results follows. */
  readonly calls: number;
  /** How many rounds there are to be done, each with its own plan. */
  readonly rounds: number;
  readonly servers: readonly KubernetesServer[];
  /** What k6 runs: the script and the files that it opens, by paths relative to it. */
  readonly files: readonly ExportFile[];
}
