// How a cluster asks whether a server is well: by what its style has for that, so that it is the server that answers and not its port.
import type { Container, Probe } from "kubernetes-types/core/v1.js";
import type { PlacedServer } from "./placed-server.ts";

/** Has GraphQL's errors told by the status, too. */
const graphqlStatus = { name: "Accept", value: "application/graphql-response+json" };

/** gRPC has a protocol for it; GraphQL its smallest query, and REST the smallest call of the contract. */
function questionTo({ kind, port }: PlacedServer): Probe {
  switch (kind) {
    case "grpc":
      return { grpc: { port } };
    case "rest":
      return { httpGet: { path: "/v1/hello?name=probe", port } };
    case "graphql":
      return { httpGet: { path: "/graphql?query=%7B__typename%7D", port, httpHeaders: [graphqlStatus] } };
  }
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
