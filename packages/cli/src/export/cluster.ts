// An export for a cluster: what its manifests are made from, or why there can be none.
import type { ExportFile, K6Plan, KubernetesOptions } from "@roundtrip/k6";
import { loadStack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import type { Target } from "@roundtrip/runner";
import type { ClusterFlags } from "./cluster-options.ts";

/** Where an export's objects are, unless somebody says otherwise. */
const usualNamespace = "roundtrip";
const longestName = 40;

/** A name for objects: what was asked for, as a DNS label (RFC 1123). */
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

/** What k6 opens: pages and sources for people stay at home. */
const isRun = ({ path }: ExportFile): boolean => path !== "README.md" && !path.startsWith("proto/");

export interface Exported {
  /** Studies, and groups of them, as they were asked for. */
  readonly names: readonly string[];
  /** One for each round, of the same arms. */
  readonly plans: readonly K6Plan[];
  /** All calls of one round. */
  readonly calls: number;
  readonly files: readonly ExportFile[];
  readonly targets: readonly Target[];
  /** False for this project's own contract, which is what the image serves. */
  readonly isForeign: boolean;
}

/** The operator starts no round in which an instance has nobody to call: virtual users are what instances share. Throws a usage error. */
function requireWork(instances: number, names: readonly string[], plans: readonly K6Plan[]): void {
  const most = Math.min(...plans.map(({ cells }) => Math.max(...cells.map(({ callers }) => callers))));
  if (instances <= most) return;
  throw new CliError(
    "usage",
    `--instances ${instances} is more than ${names.join(", ")} can share: k6 makes these calls with ${most} virtual ${most === 1 ? "user" : "users"} at most, each in one instance; ` +
      `give --instances ${most}, or --arrivals with a higher rate`,
  );
}

/** Undefined when no manifests are wanted. Throws a usage error for flags that do not go together. */
export async function clusterFor(
  flags: ClusterFlags,
  { names, plans, calls, files, targets, isForeign }: Exported,
): Promise<KubernetesOptions | undefined> {
  if (!flags.kubernetes) return undefined;
  const [plan] = plans as readonly [K6Plan];
  const { instances = 1 } = flags;
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
  if (toStart !== undefined && flags.image === undefined) {
    throw new CliError("usage", "give --image NAME for the servers: docs/kubernetes.md says how it is built");
  }
  return {
    name: nameOf(names),
    namespace: flags.namespace ?? usualNamespace,
    image: flags.image ?? "",
    instances,
    isOneNode: flags.oneNode,
    calls,
    rounds: plans.length,
    servers,
    files: files.filter(isRun),
  };
}

/** Flags that say how, of a cluster that nobody asked for. Throws a usage error. */
export function requireCluster({ kubernetes, image, namespace, oneNode }: ClusterFlags): void {
  if (kubernetes) return;
  const given = { "--image": image !== undefined, "--namespace": namespace !== undefined, "--one-node": oneNode };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined) throw new CliError("usage", `${flag} is for a cluster: give --kubernetes, too`);
}
