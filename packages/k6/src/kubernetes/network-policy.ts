// Who may call the servers of an export: its own instances of k6, and nobody else. The servers themselves call nobody.
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { componentLabels } from "./labels.ts";
import type { PlacedServer } from "./placed-server.ts";

export function networkPolicy({ name, namespace }: KubernetesOptions, servers: readonly PlacedServer[]): NetworkPolicy {
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
