import { Deployment } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { Namespace, PersistentVolumeClaim, Pod, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { needing } from "../../../../.ci/needs/needing.ts";
import { howToGetIt, publishedSchema } from "./published-schema.ts";
import { elsewhere, manifestsOf, only, sample, type Manifest } from "./sample.ts";

type Labels = Readonly<Record<string, string>>;

interface PodSpec {
  readonly automountServiceAccountToken: boolean | string;
  readonly securityContext: { readonly runAsUser: number };
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly startupProbe: object;
    readonly securityContext: object;
  }[];
}

interface DeploymentFields {
  readonly spec: { readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec } };
}

interface OperatorPod {
  readonly metadata: { readonly labels: Labels };
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumes?: readonly object[];
  readonly automountServiceAccountToken: string;
  readonly securityContext: { readonly runAsUser: number };
  readonly containerSecurityContext: object;
}

interface TestRunFields {
  readonly spec: Readonly<Record<"initializer" | "starter" | "runner", OperatorPod>> & { readonly arguments: string };
}

const models = { Deployment, Namespace, NetworkPolicy, PersistentVolumeClaim, Pod, Service } as Readonly<
  Record<string, unknown>
>;

/** Throws if the published schema of the object's kind rejects it. */
function validate(manifest: Manifest): void {
  const Kind = models[manifest.kind] as {
    readonly apiVersion: string;
    new (content: object): { validate(): void };
  };
  expect(manifest.apiVersion).toBe(Kind.apiVersion);
  new Kind(manifest).validate();
}

const testRunOf = (manifests: readonly Manifest[]) => only<TestRunFields>(manifests, "TestRun");

const environmentOf = (manifests: readonly Manifest[]): Labels =>
  Object.fromEntries((testRunOf(manifests).spec.runner.env ?? []).map(({ name, value = "" }) => [name, value]));

test.for([
  ["an export", sample],
  ["an export for one node", { ...sample, isOneNode: true, instances: 1 }],
  ["an export whose servers run elsewhere", elsewhere],
] as const)("the published schemas accept %s", ([, options]) => {
  const manifests = manifestsOf(options);
  const objects = manifests.filter(({ kind }) => kind !== "TestRun");
  // Pods of the operator, as Kubernetes sees them.
  const { initializer, starter, runner } = testRunOf(manifests).spec;
  const pods = [initializer, starter, runner].map(({ env = [], volumes = [], securityContext }) => {
    const spec = { containers: [{ name: "k6", env }], volumes, securityContext };
    return { apiVersion: "v1", kind: "Pod", metadata: { name: "k6" }, spec };
  });
  for (const manifest of [...objects, ...pods]) expect(() => validate(manifest)).not.toThrow();
});

test("no pod runs as root, gains rights, writes to its own files or has a token of the cluster", () => {
  const manifests = manifestsOf(sample);
  const { initializer, starter, runner } = testRunOf(manifests).spec;
  const deployments = manifests.filter(({ kind }) => kind === "Deployment") as (Manifest & DeploymentFields)[];
  const pods = [
    ...deployments.map(({ spec }) => spec.template.spec),
    only<{ readonly spec: PodSpec }>(manifests, "Pod").spec,
    ...[initializer, starter, runner].map(({ containerSecurityContext, ...pod }) => ({
      ...pod,
      containers: [{ securityContext: containerSecurityContext }],
    })),
  ];
  expect(pods).toHaveLength(8);
  for (const { automountServiceAccountToken, securityContext, containers } of pods) {
    expect(String(automountServiceAccountToken)).toBe("false");
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(securityContext.runAsUser).toBeGreaterThan(0);
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
  expect(only(manifests, "Namespace").metadata).toMatchObject({
    labels: { "pod-security.kubernetes.io/enforce": "restricted" },
  });
});

test("k6 calls the Service of each server, and each configuration of a stack has its own", () => {
  const manifests = manifestsOf(sample);
  expect(environmentOf(manifests)).toMatchObject({
    GRPC_TARGET: "load-grpc-js:50051",
    REST_URL: "http://load-rest-express:8080",
    GRAPHQL_URL: "http://load-graphql-apollo:8080",
    REST_URL_MATRIX_CACHE_200: "http://load-rest-express-2:8080",
  });
  const argsOf = (name: string): string =>
    (only<DeploymentFields>(manifests, "Deployment", name).spec.template.spec.containers[0]?.args ?? []).join(" ");
  expect(argsOf("load-grpc-js")).toBe("serve grpc-js --host 0.0.0.0 --port 50051");
  expect(argsOf("load-rest-express-2")).toBe("serve rest-express --host 0.0.0.0 --port 8080 --set matrix.cache=200");
  for (const { metadata } of manifests.filter(({ kind }) => kind === "Service")) {
    const { spec } = only<{ readonly spec: { readonly selector: Labels } }>(manifests, "Service", metadata.name);
    const deployment = only<DeploymentFields>(manifests, "Deployment", metadata.name);
    expect(deployment.spec.template.metadata.labels).toEqual(spec.selector);
  }
});

test.for([
  ["load-grpc-js", { grpc: { port: 50_051 } }],
  ["load-rest-express", { httpGet: { path: "/v1/hello?name=probe", port: 8080 } }],
  ["load-graphql-apollo", { httpGet: { port: 8080, httpHeaders: [{ name: "Accept" }] } }],
] as const)("%s is probed as its style declares", ([name, probe]) => {
  const { spec } = only<DeploymentFields>(manifestsOf(sample), "Deployment", name);
  expect(spec.template.spec.containers[0]?.startupProbe).toMatchObject(probe);
});

test("servers that run elsewhere are called there, and none is started", () => {
  const manifests = manifestsOf(elsewhere);
  expect(environmentOf(manifests)["GRPC_TARGET"]).toBe("http://servers.example:50051");
  expect(manifests.map(({ kind }) => kind)).toEqual(["Namespace", "PersistentVolumeClaim", "Pod", "TestRun"]);
});

test("an address has no shell syntax: the operator writes it into a command line", () => {
  const url = 'http://servers.example/$(id)/`id`?a="b\\c';
  const manifests = manifestsOf({ ...sample, servers: sample.servers.map((server) => ({ ...server, url })) });
  expect(environmentOf(manifests)["GRPC_TARGET"]).toBe("http://servers.example/%24(id)/%60id%60?a=%22b%5Cc");
});

test("only k6 of the same export calls its servers, and servers call nobody", () => {
  const manifests = manifestsOf(sample);
  const { spec } = only<{
    readonly spec: { readonly ingress: readonly { readonly from: readonly object[]; readonly ports: object }[] };
  }>(manifests, "NetworkPolicy");
  const labels = {
    "app.kubernetes.io/instance": "load",
    "app.kubernetes.io/part-of": "roundtrip",
    "app.kubernetes.io/component": "generator",
  };
  expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], egress: [] });
  expect(spec.ingress).toEqual([
    {
      from: [{ podSelector: { matchLabels: labels } }],
      ports: [
        { port: 50_051, protocol: "TCP" },
        { port: 8080, protocol: "TCP" },
      ],
    },
  ]);
  expect(testRunOf(manifests).spec.runner.metadata.labels).toMatchObject(labels);
});

test("each pod of k6 writes its own file, to a volume of the right access mode", () => {
  expect(testRunOf(manifestsOf(sample)).spec.arguments).toBe("--env ROUND=1 --out json=/results/$(POD_NAME).json");
  const modes = [false, true].map(
    (isOneNode) =>
      only<{ readonly spec: { readonly accessModes: readonly string[] } }>(
        manifestsOf({ ...sample, isOneNode }),
        "PersistentVolumeClaim",
      ).spec.accessModes,
  );
  expect(modes).toEqual([["ReadWriteMany"], ["ReadWriteOnce"]]);
});

const faultsOf = publishedSchema();
const withSchema = await needing("k6-operator");

test.for([
  ["an export", sample],
  ["an export for one node", { ...sample, isOneNode: true, instances: 1 }],
  ["an export whose servers run elsewhere", elsewhere],
] as const)("k6-operator's schema accepts the TestRun of %s", withSchema, ([, options]) => {
  expect(faultsOf?.(only(manifestsOf(options), "TestRun"))).toEqual([]);
});

test("k6-operator's schema rejects a misspelled field", withSchema, () => {
  const testRun = only<{ readonly spec: object }>(manifestsOf(sample), "TestRun");
  expect(faultsOf?.({ ...testRun, spec: { ...testRun.spec, instances: 2 } } as never)).not.toEqual([]);
});

test("the full run has the release of k6-operator of the manifests", () => {
  expect(readFileSync(new URL("../../../../.ci/full", import.meta.url), "utf8")).toContain(howToGetIt);
});
