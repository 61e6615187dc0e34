// How a cluster asks whether a server is well: by what its style has for that, so that it is the server that answers and not its port.
import type { Container, Probe } from "kubernetes-types/core/v1.js";
import type { PlacedServer } from "./placed-server.ts";

function questionTo({ health, port }: PlacedServer): Probe {
  if (health === undefined) return { tcpSocket: { port } };
  if (health.protocol === "grpc") return { grpc: { port } };
  const headers = Object.entries(health.headers).map(([name, value]) => ({ name, value }));
  return { httpGet: { path: health.path, port, ...(headers.length === 0 ? {} : { httpHeaders: headers }) } };
}

/**
 * Often until the server has started; afterwards seldom, so that probes are no load, and with patience: a server that a study saturates
 * is slow and not ill.
 */
export function probesOf(server: PlacedServer): Pick<Container, "startupProbe" | "readinessProbe" | "livenessProbe"> {
  const question = questionTo(server);
  return {
    startupProbe: { ...question, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...question, periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...question, periodSeconds: 60, timeoutSeconds: 30, failureThreshold: 3 },
  };
}
