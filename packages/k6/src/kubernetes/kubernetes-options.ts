// The input for the manifests of an export.
import type { ExportFile } from "../export/export-files.ts";
import type { HealthProbe } from "@roundtrip/styles";
import type { K6Server } from "../plan/k6-plan.ts";

/** A server that k6 calls. */
export interface KubernetesServer extends K6Server {
  /** The URL of a server that runs already; undefined starts it in the cluster. */
  readonly url: string | undefined;
  readonly health: HealthProbe | undefined;
}

export interface KubernetesOptions {
  /** The prefix of all object names: a DNS label (RFC 1123) of at most 40 characters. */
  readonly name: string;
  readonly namespace: string;
  /** The image that servers run from; its entry point is `roundtrip`. */
  readonly image: string;
  /** Instances of k6, each a pod. */
  readonly instances: number;
  /** Whether all pods share a node, so that no volume has to be mounted on several. */
  readonly isOneNode: boolean;
  /** Calls of one round, which determine the size of the storage for results. */
  readonly calls: number;
  /** The number of rounds, each with its own plan. */
  readonly rounds: number;
  readonly servers: readonly KubernetesServer[];
  /** The files that k6 runs: the script and the files that it opens, by paths relative to it. */
  readonly files: readonly ExportFile[];
}
