// The pods that a manifest comes to, as manifests of Kubernetes.
import type { TestRun } from "../../src/kubernetes/test-run.ts";
import type { Manifest, PodManifest } from "./manifest.ts";

interface PodSpec {
  readonly containers: readonly object[];
  readonly [field: string]: unknown;
}

/** With lists that may be left out. */
function podOf(name: string, { containers, ...spec }: PodSpec): PodManifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { volumes: [], ...spec, containers: containers.map((container) => ({ volumeMounts: [], ...container })) },
  } as unknown as PodManifest;
}

/** As the operator makes it: https://github.com/grafana/k6-operator/tree/main/pkg/resources/jobs */
function operatorPod(name: string, pod: Partial<TestRun["spec"]["runner"]>): PodManifest {
  const { automountServiceAccountToken = "true", metadata: _, image, containerSecurityContext, ...others } = pod;
  const { env, resources, volumeMounts, ...spec } = others;
  const container = { name: "k6", image, env, resources, volumeMounts, securityContext: containerSecurityContext };
  const given = Object.fromEntries(Object.entries(container).filter(([, value]) => value !== undefined));
  const hasToken = automountServiceAccountToken === "true";
  return podOf(name, { ...spec, automountServiceAccountToken: hasToken, containers: [given] });
}

/** None for what has no pods. */
export function podsOf(manifest: Manifest): readonly PodManifest[] {
  const { name } = manifest.metadata;
  if (manifest.kind === "Pod") return [podOf(name, manifest.spec)];
  if (manifest.kind === "Deployment") return [podOf(name, manifest.spec.template.spec)];
  if (manifest.kind !== "TestRun") return [];
  const { initializer, starter, runner } = manifest.spec as TestRun["spec"];
  return Object.entries({ initializer, starter, runner }).map(([role, pod]) => operatorPod(role, pod));
}
