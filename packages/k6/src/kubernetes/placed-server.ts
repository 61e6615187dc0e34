// Where servers are in a cluster: the name of each, its port, and the address that the script is given.
import type { KubernetesOptions, KubernetesServer } from "./kubernetes-options.ts";

const grpcPort = 50_051;
const httpPort = 8080;

/** A server that runs in the cluster. */
export interface PlacedServer extends KubernetesServer {
  /** Of its Deployment and its Service. */
  readonly objectName: string;
  readonly port: number;
}

const longestName = 63;

/** `load-grpc-js`, and for a second configuration of a stack `load-grpc-js-2`. */
function objectNames(name: string, servers: readonly KubernetesServer[]): readonly string[] {
  const seen = new Map<string, number>();
  return servers.map(({ stack }) => {
    const times = (seen.get(stack) ?? 0) + 1;
    seen.set(stack, times);
    return `${name}-${stack}${times === 1 ? "" : `-${times}`}`.slice(0, longestName);
  });
}

/** The servers that have to be started; those elsewhere are left out. */
export function placedServers({ name, servers }: KubernetesOptions): readonly PlacedServer[] {
  const here = servers.filter(({ url }) => url === undefined);
  const names = objectNames(name, here);
  return here.map((server, index) => ({
    ...server,
    objectName: names[index] as string,
    port: server.calls.module === "grpc" ? grpcPort : httpPort,
  }));
}

/** By the name of its Service, as pods of the same namespace call it; the script adds the path that calls of its style have. */
export function addressOf({ calls, objectName, port }: PlacedServer): string {
  const place = `${objectName}:${port}`;
  return calls.module === "grpc" ? place : `http://${place}`;
}
