// What is written beside an export for a cluster: the servers, room for results, and the test itself, in the order in which they are applied.
import type { Namespace } from "kubernetes-types/core/v1.js";
import type { ExportFile } from "../export/export-files.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { kubernetesGuide } from "./kubernetes-guide.ts";
import { exportLabels } from "./labels.ts";
import { networkPolicy } from "./network-policy.ts";
import { placedServers } from "./placed-server.ts";
import { roundsScript } from "./rounds-script.ts";
import { restrictedNamespace } from "./restricted.ts";
import { serverDeployment, serverService } from "./server-manifests.ts";
import { storageClaims, storagePod } from "./storage.ts";
import { filesConfigMap, needClaim } from "./test-files.ts";
import { testRun } from "./test-run.ts";
import { yamlText } from "./yaml-text.ts";

function namespaceOf({ name, namespace }: KubernetesOptions): Namespace {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { ...exportLabels(name), ...restrictedNamespace } },
  };
}

/** The manifests and how to use them, all below `kubernetes/`. */
export function kubernetesFiles(options: KubernetesOptions): readonly ExportFile[] {
  const placed = placedServers(options);
  const servers = [
    ...placed.flatMap((server) => [serverDeployment(options, server), serverService(options, server)]),
    ...(placed.length === 0 ? [] : [networkPolicy(options, placed)]),
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
        ["What k6 runs, and where its results stay until they are fetched."],
        [...files, ...storageClaims(options), storagePod(options)],
      ),
    },
    {
      path: "kubernetes/test-run.yaml",
      content: yamlText(
        ["One round, for k6-operator: apply it when the servers are ready."],
        [testRun(options, placed)],
      ),
    },
    { path: "kubernetes/rounds.sh", content: roundsScript(options) },
    { path: "kubernetes/README.md", content: kubernetesGuide(options) },
  ];
}
