// A server in a cluster: a Deployment with one pod, and the Service that it is called by.
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { Service } from "kubernetes-types/core/v1.js";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { labelsOf } from "./labels.ts";
import type { PlacedServer } from "./placed-server.ts";
import { probesOf } from "./probes.ts";
import { restrictedContainer, restrictedPod } from "./restricted.ts";

/** The image's user, which Node.js's image calls "node". */
const userId = 1000;
const portName = "calls";

export function serverDeployment({ name, namespace, image }: KubernetesOptions, server: PlacedServer): Deployment {
  const { objectName, stack, port, settings } = server;
  const labels = labelsOf(name, "server", objectName);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: objectName, namespace, labels },
    spec: {
      // One: what is measured is a server, not what spreads calls over several.
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: restrictedPod(userId),
          containers: [
            {
              name: "server",
              image,
              args: [
                "serve",
                stack,
                "--host",
                "0.0.0.0",
                "--port",
                String(port),
                ...settings.flatMap((setting) => ["--set", setting]),
              ],
              ports: [{ name: portName, containerPort: port }],
              // No limit on the processor: it is kept by halting the process, which a measurement would show as latency.
              resources: { requests: { cpu: "250m", memory: "512Mi" }, limits: { memory: "1Gi" } },
              securityContext: restrictedContainer,
              ...probesOf(server),
            },
          ],
        },
      },
    },
  };
}

export function serverService(
  { name, namespace }: KubernetesOptions,
  { objectName, calls, port }: PlacedServer,
): Service {
  const labels = labelsOf(name, "server", objectName);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: objectName, namespace, labels },
    spec: {
      selector: labels,
      ports: [
        {
          name: portName,
          port,
          targetPort: portName,
          appProtocol: calls.module === "grpc" ? "kubernetes.io/h2c" : "http",
        },
      ],
    },
  };
}
