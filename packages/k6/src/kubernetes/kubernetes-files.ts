// The Kubernetes files of an export: the servers, storage for results, and the test, in the order in which they are applied.
import type { Namespace } from "kubernetes-types/core/v1.js";
import { stringify } from "yaml";
import type { ExportFile } from "../export/export-files.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { kubernetesGuide } from "./kubernetes-guide.ts";
import { exportLabels } from "./labels.ts";
import { networkPolicy, serverDeployment, serverService } from "./server-manifests.ts";
import { clusterServers } from "./cluster-server.ts";
import { roundsScript } from "./rounds-script.ts";
import { restrictedNamespace } from "./restricted.ts";
import { storageClaims, storagePod } from "./storage.ts";
import { filesConfigMap, needClaim } from "./test-files.ts";
import { testRun } from "./test-run.ts";

/** Kubernetes objects as the text that `kubectl apply` reads. @param title what the objects are for, one sentence a line. */
function yamlText(title: readonly string[], objects: readonly object[]): string {
  const head = title.map((line) => `# ${line}\n`).join("");
  // Lines are kept as they are, and objects that share a value are written out: people read this, and edit it.
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return `${head}${documents.join("---\n")}`;
}

function namespaceOf({ name, namespace }: KubernetesOptions): Namespace {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { ...exportLabels(name), ...restrictedNamespace } },
  };
}

/** The manifests and how to use them, all below `kubernetes/`. */
export function kubernetesFiles(options: KubernetesOptions): readonly ExportFile[] {
  const clustered = clusterServers(options);
  const servers = [
    ...clustered.flatMap((server) => [serverDeployment(options, server), serverService(options, server)]),
    ...(clustered.length === 0 ? [] : [networkPolicy(options, clustered)]),
  ];
  const files = needClaim(options.files) ? [] : [filesConfigMap(options)];
  return [
    {
      path: "kubernetes/servers.yaml",
      content: yamlText(["A namespace, and in it a server for each stack."], [namespaceOf(options), ...servers]),
    },
    {
      path: "kubernetes/storage.yaml",
      content: yamlText(
        ["The files that k6 runs, and storage for its results."],
        [...files, ...storageClaims(options), storagePod(options)],
      ),
    },
    {
      path: "kubernetes/test-run.yaml",
      content: yamlText(
        ["One round, for k6-operator: apply it when the servers are ready."],
        [testRun(options, clustered)],
      ),
    },
    { path: "kubernetes/rounds.sh", content: roundsScript(options) },
    { path: "kubernetes/README.md", content: kubernetesGuide(options) },
  ];
}
