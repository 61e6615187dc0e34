// The TestRun for k6-operator: instances of k6, each with its segment of the tasks, resumed together.
import type {
  Affinity,
  Container,
  EnvVar,
  PodSecurityContext,
  SecurityContext,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from "kubernetes-types/core/v1.js";
import type { ObjectMeta } from "kubernetes-types/meta/v1.js";
import {
  k6Image,
  k6ImageVersion,
  k6UserId,
  starterImage,
  starterUserId,
  restrictedContainer,
  restrictedPod,
} from "./restricted.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { componentLabels, labelsOf, type Labels } from "./labels.ts";
import { addressOf, type ClusterServer } from "./cluster-server.ts";
import { resultsFolder, resultsName, resultsVolume } from "./storage.ts";
import { filesVolume, testFolder, testVolume } from "./test-files.ts";

/** The members of an operator pod that are set here. */
interface OperatorPod {
  readonly image?: string;
  readonly metadata: { readonly labels: Labels };
  /** A string in the operator's schema. */
  readonly automountServiceAccountToken: "false";
  readonly securityContext: PodSecurityContext;
  readonly containerSecurityContext: SecurityContext;
  readonly env?: readonly EnvVar[];
  readonly resources?: Container["resources"];
  readonly affinity?: Affinity;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly VolumeMount[];
}

/** https://grafana.com/docs/k6/latest/set-up/set-up-distributed-k6/usage/configure-testrun-crd/ */
export interface TestRun {
  readonly apiVersion: "k6.io/v1alpha1";
  readonly kind: "TestRun";
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly parallelism: number;
    readonly script: { readonly localFile: string };
    readonly arguments: string;
    readonly initializer: OperatorPod;
    readonly starter: OperatorPod;
    readonly runner: OperatorPod;
  };
}

/** The round's argument, which the rounds script replaces. */
export const firstRound = "ROUND=1";

/**
 * Several pods begin at the next multiple of this that leaves each of them enough time. They are resumed one after the other, and a multiple between two
 * of them loses the round, so multiples are far apart.
 */
const beginsEveryMs = 60_000;

const nodeKey = "kubernetes.io/hostname";

/** The members that all pods of the operator share. */
function podOf(name: string, application: string, userId: number): OperatorPod {
  return {
    metadata: { labels: labelsOf(name, "generator", application) },
    automountServiceAccountToken: "false",
    securityContext: restrictedPod(userId),
    containerSecurityContext: restrictedContainer,
  };
}

/** Escapes shell syntax: the operator writes addresses into a command line. */
const plain = (url: string): string => url.replaceAll(/["$`\\]/g, encodeURIComponent);

function environment(
  { servers, instances }: KubernetesOptions,
  clustered: readonly ClusterServer[],
): readonly EnvVar[] {
  const elsewhere = servers.flatMap(({ variable, url }) =>
    url === undefined ? [] : [{ name: variable, value: plain(url) }],
  );
  return [
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "K6_NO_USAGE_REPORT", value: "true" },
    { name: "K6_VERSION", value: k6ImageVersion },
    ...(instances === 1 ? [] : [{ name: "T0_STEP_MS", value: String(beginsEveryMs) }]),
    ...clustered.map((server) => ({ name: server.variable, value: addressOf(server) })),
    ...elsewhere,
  ];
}

/** Places instances on other nodes than servers and each other, if there are enough nodes. */
function apart(name: string): Pick<OperatorPod, "affinity" | "topologySpreadConstraints"> {
  const selector = (component: "server" | "generator") => ({ matchLabels: componentLabels(name, component) });
  return {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { labelSelector: selector("server"), topologyKey: nodeKey } },
        ],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: nodeKey, whenUnsatisfiable: "ScheduleAnyway", labelSelector: selector("generator") },
    ],
  };
}

export function testRun(options: KubernetesOptions, clustered: readonly ClusterServer[]): TestRun {
  const { name, namespace, instances } = options;
  const files = filesVolume(options);
  const filesMount = { name: testVolume, mountPath: testFolder, readOnly: true };
  // The operator archives the script there and writes a log file before instances start.
  const scratch = { name: "scratch", mountPath: "/tmp" };
  const env = environment(options, clustered);
  const resources = { requests: { cpu: "500m", memory: "512Mi" }, limits: { memory: "2Gi" } };
  return {
    apiVersion: "k6.io/v1alpha1",
    kind: "TestRun",
    metadata: { name, namespace, labels: labelsOf(name, "generator", "k6") },
    spec: {
      parallelism: instances,
      // A file in the pod: a ConfigMap of the operator has no folders, and at most one MiB.
      script: { localFile: `${testFolder}/script.js` },
      // Each pod writes its own file; Kubernetes inserts its name. The rounds script inserts the round.
      arguments: `--env ${firstRound} --out json=${resultsFolder}/$(POD_NAME).json`,
      initializer: {
        ...podOf(name, "k6-initializer", k6UserId),
        image: k6Image,
        env,
        resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "2Gi" } },
        volumes: [files, { name: scratch.name, emptyDir: {} }],
        volumeMounts: [filesMount, scratch],
      },
      starter: { ...podOf(name, "k6-starter", starterUserId), image: starterImage },
      runner: {
        ...podOf(name, "k6", k6UserId),
        ...apart(name),
        image: k6Image,
        env,
        resources,
        volumes: [
          files,
          { name: scratch.name, emptyDir: {} },
          { name: resultsVolume, persistentVolumeClaim: { claimName: resultsName(options) } },
        ],
        volumeMounts: [filesMount, scratch, { name: resultsVolume, mountPath: resultsFolder }],
      },
    },
  };
}
