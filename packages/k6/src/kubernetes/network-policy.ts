// Lets only the k6 instances of an export call its servers. The servers themselves may call nothing.
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { componentLabels } from "./labels.ts";
import type { ClusterServer } from "./cluster-server.ts";

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
