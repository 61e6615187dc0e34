// The servers in a cluster: their names, ports and addresses.
import { k6Modules } from "../plan/k6-modules.ts";
import type { KubernetesOptions, KubernetesServer } from "./kubernetes-options.ts";

export interface ClusterServer extends KubernetesServer {
  /** The name of its Deployment and its Service. */
  readonly objectName: string;
  readonly port: number;
}

const longestName = 63;

/** For example `load-grpc-js`; `load-grpc-js-2` for a second configuration of the stack. */
function objectNames(name: string, servers: readonly KubernetesServer[]): readonly string[] {
  const seen = new Map<string, number>();
  return servers.map(({ stack }) => {
    const times = (seen.get(stack) ?? 0) + 1;
    seen.set(stack, times);
    return `${name}-${stack}${times === 1 ? "" : `-${times}`}`.slice(0, longestName);
  });
}

/** The servers to start in the cluster. Those that run elsewhere are left out. */
export function clusterServers({ name, servers }: KubernetesOptions): readonly ClusterServer[] {
  const here = servers.filter(({ url }) => url === undefined);
  const names = objectNames(name, here);
  return here.map((server, index) => ({
    ...server,
    objectName: names[index] as string,
    port: k6Modules[server.calls.module].port,
  }));
}

/** The address of its Service within the namespace. The script adds the path of the style. */
export function addressOf({ calls, objectName, port }: ClusterServer): string {
  return `${k6Modules[calls.module].scheme}${objectName}:${port}`;
}
