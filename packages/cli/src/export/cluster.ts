// The Kubernetes part of an export: inputs of its manifests, or the error if there can be none.
import type { K6Plan, KubernetesOptions } from "@roundtrip/k6";
import { loadStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import type { Target } from "@roundtrip/runner";
import type { Cluster } from "./cluster-options.ts";

const longestName = 40;

/** Converts names to an object name: a DNS label (RFC 1123). */
function nameOf(names: readonly string[]): string {
  const label = names
    .join("-")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-");
  const name = label
    .replace(/^[-\d]+/, "")
    .slice(0, longestName)
    .replace(/-+$/, "");
  return name === "" ? "studies" : name;
}

export interface Exported {
  /** Studies and groups, as typed. */
  readonly names: readonly string[];
  /** One per round, with the same arms. */
  readonly plans: readonly K6Plan[];
  readonly calls: number;
  readonly targets: readonly Target[];
  /** False for the built-in contract, which the image serves. */
  readonly isForeign: boolean;
}

/** Throws a usage error for more instances than virtual users, which instances share: the operator starts no round with an idle instance. */
function requireWork(instances: number, names: readonly string[], plans: readonly K6Plan[]): void {
  const most = Math.min(...plans.map(({ cells }) => Math.max(...cells.map(({ callers }) => callers))));
  if (instances <= most) return;
  throw new CliError(
    "usage",
    `instances=${instances} is more than ${names.join(", ")} can share: k6 makes these calls with ${most} virtual ${most === 1 ? "user" : "users"} at most, each in one instance; ` +
      `give instances=${most}, or --arrivals with a higher rate`,
  );
}

/** Undefined without --kubernetes. Throws a usage error for contradictory flags. */
export async function clusterFor(
  cluster: Cluster | undefined,
  { names, plans, calls, targets, isForeign }: Exported,
): Promise<KubernetesOptions | undefined> {
  if (cluster === undefined) return undefined;
  const [plan] = plans as readonly [K6Plan];
  const { image, instances, namespace, isOneNode } = cluster;
  requireWork(instances, names, plans);
  const servers = await Promise.all(
    plan.servers.map(async (server) => ({
      ...server,
      url: targets.find(({ stack }) => stack === server.stack)?.url,
      health: (await loadStack(server.stack)).health,
    })),
  );
  const toStart = servers.find(({ url }) => url === undefined);
  if (toStart !== undefined && isForeign) {
    throw new CliError(
      "usage",
      `--kubernetes starts servers of Roundtrip's own contract: give --target ${toStart.stack}=URL, where this one is served`,
    );
  }
  if (toStart !== undefined && image === undefined) {
    throw new CliError("usage", "give --kubernetes image=NAME for the servers: docs/k6.md says how it is built");
  }
  return {
    name: nameOf(names),
    namespace,
    image: image ?? "",
    instances,
    isOneNode,
    calls,
    rounds: plans.length,
    servers,
  };
}
