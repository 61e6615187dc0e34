// A server in a cluster: a Deployment with one pod, and its Service.
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { Container, Probe, Service } from "kubernetes-types/core/v1.js";
import { k6Modules } from "../plan/k6-modules.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { labelsOf, componentLabels } from "./labels.ts";
import type { ClusterServer } from "./cluster-server.ts";
import { restrictedContainer, restrictedPod } from "./restricted.ts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";

/** The user `node` of Node.js's image. */
const userId = 1000;
const portName = "calls";
/** The probe that the style declares, so that the server answers it and not only its port. */
function probeOf({ health, port }: ClusterServer): Probe {
  if (health === undefined) return { tcpSocket: { port } };
  if (health.protocol === "grpc") return { grpc: { port } };
  const headers = Object.entries(health.headers).map(([name, value]) => ({ name, value }));
  return { httpGet: { path: health.path, port, ...(headers.length === 0 ? {} : { httpHeaders: headers }) } };
}

/**
 * Frequent until the server has started; afterwards rare and with long limits, because a server that a study saturates is slow
 * but healthy.
 */
function probesOf(server: ClusterServer): Pick<Container, "startupProbe" | "readinessProbe" | "livenessProbe"> {
  const question = probeOf(server);
  return {
    startupProbe: { ...question, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...question, periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...question, periodSeconds: 60, timeoutSeconds: 30, failureThreshold: 3 },
  };
}

export function serverDeployment({ name, namespace, image }: KubernetesOptions, server: ClusterServer): Deployment {
  const { objectName, stack, port, settings } = server;
  const labels = labelsOf(name, "server", objectName);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: objectName, namespace, labels },
    spec: {
      // One: a server is measured, not a load balancer.
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
              // No CPU limit: Kubernetes enforces it by pausing the process, which would show up as latency.
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
  { objectName, calls, port }: ClusterServer,
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
          appProtocol: k6Modules[calls.module].appProtocol,
        },
      ],
    },
  };
}

export function networkPolicy(
  { name, namespace }: KubernetesOptions,
  servers: readonly ClusterServer[],
): NetworkPolicy {
  const ports = [...new Set(servers.map(({ port }) => port))];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `${name}-servers`, namespace, labels: componentLabels(name, "server") },
    spec: {
      podSelector: { matchLabels: componentLabels(name, "server") },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: componentLabels(name, "generator") } }],
          ports: ports.map((port) => ({ port, protocol: "TCP" })),
        },
      ],
      egress: [],
    },
  };
}
