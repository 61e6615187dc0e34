// The Kubernetes files of an export: the templates in `templates/`, filled in. They are applied in the order of the list.
import type { HealthProbe } from "@roundtrip/styles";
import type { ExportFile } from "../export/export-files.ts";
import { fillTemplate, type TemplateValues } from "../export/export-readme.ts";
import { k6Version } from "../instances/find-k6.ts";
import { k6Modules } from "../plan/k6-servers.ts";
import type { K6Server } from "../plan/k6-plan.ts";

export interface KubernetesServer extends K6Server {
  /** The URL of a server that runs already; undefined starts it in the cluster. */
  readonly url: string | undefined;
  readonly health: HealthProbe | undefined;
}

export interface KubernetesOptions {
  /** The prefix of all object names: a DNS label (RFC 1123) of at most 40 characters. */
  readonly name: string;
  readonly namespace: string;
  /** The image that servers run from; its entry point is `roundtrip`. */
  readonly image: string;
  /** Instances of k6, each a pod. */
  readonly instances: number;
  /** Whether all pods share a node, so that no volume has to be mounted on several. */
  readonly isOneNode: boolean;
  /** Calls of one round, which determine the size of the storage. */
  readonly calls: number;
  /** The number of rounds, each with its own plan. */
  readonly rounds: number;
  readonly servers: readonly KubernetesServer[];
}

/** The release of k6-operator that the manifests are tested with. The operator itself uses its latest starter image. */
export const operatorVersion = "v1.5.0";

interface ClusterServer extends KubernetesServer {
  /** The name of its Deployment and its Service. */
  readonly objectName: string;
  readonly port: number;
}

const longestName = 63;

/** Servers that run elsewhere are left out. Names are, for example, `load-grpc-js`; `load-grpc-js-2` for a second configuration of the stack. */
function clusterServers({ name, servers }: KubernetesOptions): readonly ClusterServer[] {
  const counts = new Map<string, number>();
  return servers
    .filter(({ url }) => url === undefined)
    .map((server) => {
      const count = (counts.get(server.stack) ?? 0) + 1;
      counts.set(server.stack, count);
      const objectName = `${name}-${server.stack}${count === 1 ? "" : `-${count}`}`.slice(0, longestName);
      return { ...server, objectName, port: k6Modules[server.calls.module].port };
    });
}

function fill(template: string, values: TemplateValues): string {
  return fillTemplate(new URL(`templates/${template}`, import.meta.url), values);
}

/** The probe that the style declares, so that the server answers it and not only its port. */
function probeOf({ health, port }: ClusterServer): string {
  if (health === undefined) return `tcpSocket: { port: ${port} }`;
  if (health.protocol === "grpc") return `grpc: { port: ${port} }`;
  const headers = Object.entries(health.headers).map(([name, value]) => ({ name, value }));
  const httpHeaders = headers.length === 0 ? {} : { httpHeaders: headers };
  return `httpGet: ${JSON.stringify({ path: health.path, port, ...httpHeaders })}`;
}

function serverText(server: ClusterServer, shared: TemplateValues): string {
  const { objectName, stack, port, settings, calls } = server;
  const args = ["serve", stack, "--host", "0.0.0.0", "--port", String(port)];
  return fill("server.yaml", {
    ...shared,
    server: objectName,
    port,
    args: JSON.stringify([...args, ...settings.flatMap((setting) => ["--set", setting])]),
    probe: probeOf(server),
    appProtocol: k6Modules[calls.module].appProtocol,
  });
}

/**
 * Several pods begin at the next multiple of this that leaves each of them enough time. They are resumed one after the other, and a multiple between two
 * of them loses the round, so multiples are far apart.
 */
const beginsEveryMs = 60_000;

/** Escapes shell syntax: the operator writes addresses into a command line. */
const withoutShellSyntax = (url: string): string => url.replaceAll(/["$`\\]/g, encodeURIComponent);

/** The environment of k6, one variable per line. The script adds the path of the style to an address. */
function environment({ servers, instances }: KubernetesOptions, clustered: readonly ClusterServer[]): string {
  const variables = [
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "K6_NO_USAGE_REPORT", value: "true" },
    { name: "K6_VERSION", value: `v${k6Version}` },
    ...(instances === 1 ? [] : [{ name: "T0_STEP_MS", value: String(beginsEveryMs) }]),
    ...clustered.map(({ variable, calls, objectName, port }) => ({
      name: variable,
      value: `${k6Modules[calls.module].scheme}${objectName}:${port}`,
    })),
    ...servers.flatMap(({ variable, url }) =>
      url === undefined ? [] : [{ name: variable, value: withoutShellSyntax(url) }],
    ),
  ];
  return variables.map((variable) => `- ${JSON.stringify(variable)}`).join("\n");
}

// k6 also writes its own metrics: about ten lines of some 300 bytes for each call.
const bytesPerCall = 3_000;
const repeatedRounds = 4;
const gibibyte = 1024 ** 3;

/** One gibibyte for the files, and those for the results of all rounds and some repeated ones. */
function sizeFor({ calls, rounds }: KubernetesOptions): string {
  return `${1 + Math.ceil((calls * bytesPerCall * (rounds + repeatedRounds)) / gibibyte)}Gi`;
}

/** The manifests and how to use them, all below `kubernetes/`. */
export function kubernetesFiles(options: KubernetesOptions): readonly ExportFile[] {
  const { name, namespace, image, instances, isOneNode, rounds, servers } = options;
  const clustered = clusterServers(options);
  const ports = [...new Set(clustered.map(({ port }) => port))].map((port) => ({ port, protocol: "TCP" }));
  const selector = `app.kubernetes.io/instance=${name},app.kubernetes.io/part-of=roundtrip,app.kubernetes.io/component=server`;
  const hasServers = clustered.length > 0;
  const values: TemplateValues = {
    name,
    namespace,
    image,
    k6Image: `docker.io/grafana/k6:${k6Version}`,
    starterImage: `ghcr.io/grafana/k6-operator:starter-${operatorVersion}`,
    env: environment(options, clustered),
    ports: JSON.stringify(ports),
    accessMode: isOneNode ? "ReadWriteOnce" : "ReadWriteMany",
    size: sizeFor(options),
    rounds: Array.from({ length: rounds }, (_, index) => index + 1).join(" "),
    restart: hasServers
      ? `in_namespace rollout restart deployment -l ${selector}\nin_namespace rollout status --timeout=2m deployment -l ${selector}`
      : ":",
  };
  const guide: TemplateValues = {
    ...values,
    instances: instances === 1 ? "One instance" : `${instances} instances`,
    imageNote: hasServers ? `, and its nodes must be able to pull the image \`${image}\`` : "",
    waitForServers: hasServers
      ? `kubectl -n ${namespace} wait --for=condition=Available --timeout=2m deployment -l ${selector}\n`
      : "",
    volumeNote: isOneNode
      ? "The volume is for one node (`ReadWriteOnce`). For a cluster with several nodes, export again without `nodes=1`."
      : "Several nodes write to the volume (`ReadWriteMany`), which requires a storage class that supports it. For a cluster with a single node, export again with `nodes=1`.",
    elsewhere: servers.some(({ url }) => url !== undefined)
      ? "\nRestart servers that run elsewhere before each round, and give the script one round at a time.\n"
      : "",
  };
  const manifests = [
    fill("namespace.yaml", values),
    ...clustered.map((server) => serverText(server, values)),
    ...(hasServers ? [fill("network-policy.yaml", values)] : []),
  ];
  return [
    { path: "kubernetes/servers.yaml", content: manifests.join("") },
    { path: "kubernetes/storage.yaml", content: fill("storage.yaml", values) },
    { path: "kubernetes/test-run.yaml", content: fill("test-run.yaml", { ...values, instances }) },
    { path: "kubernetes/rounds.sh", content: fill("rounds.sh", values) },
    { path: "kubernetes/README.md", content: fill("README.md", guide) },
  ];
}
