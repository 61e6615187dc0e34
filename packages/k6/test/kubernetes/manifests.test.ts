import { assert, oneof, property, record, string, stringMatching, uint8Array, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { configMapMaxBytes } from "../../src/kubernetes/test-files.ts";
import { kubernetesFiles } from "../../src/kubernetes/kubernetes-files.ts";
import type { ManifestOf } from "./manifest.ts";
import { podsOf } from "./pods.ts";
import { manifestsOf, only, sample, single } from "./sample.ts";

const matches = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const environmentOf = ({ spec }: ManifestOf<"TestRun">): Readonly<Record<string, string>> =>
  Object.fromEntries(spec.runner.env.map(({ name, value }) => [name, value]));

test("no pod runs as root, gains rights, writes to its own files or holds a token of the cluster", () => {
  for (const { metadata, spec } of manifestsOf(sample).flatMap(podsOf)) {
    const { name } = metadata;
    expect({ name, ...spec }).toMatchObject({
      name,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(spec.securityContext.runAsUser).toBeGreaterThan(0);
    for (const { securityContext } of spec.containers) {
      expect({ name, ...securityContext }).toEqual({
        name,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
  expect(only(manifestsOf(sample), "Namespace").metadata.labels["pod-security.kubernetes.io/enforce"]).toBe(
    "restricted",
  );
});

test("every pod mounts volumes that it has, and every claim and ConfigMap that it names is in the export", () => {
  const large = { path: "plan.json", content: "1".repeat(configMapMaxBytes) };
  for (const options of [sample, { ...sample, files: [...sample.files, large] }]) {
    const manifests = manifestsOf(options);
    for (const { metadata, spec } of manifests.flatMap(podsOf)) {
      const { volumes, containers } = spec;
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
      const names = volumes.map(({ name }) => name);
      expect([metadata.name, ...mounted.toSorted()]).toEqual([metadata.name, ...names.toSorted()]);
      for (const { persistentVolumeClaim, configMap } of volumes) {
        if (persistentVolumeClaim) only(manifests, "PersistentVolumeClaim", persistentVolumeClaim.claimName);
        if (configMap) only(manifests, "ConfigMap", configMap.name);
      }
    }
  }
});

test("every server has one Service that finds its pod alone, and k6 gets its address by the variable of the plan", () => {
  const manifests = manifestsOf(sample);
  const deployments = manifests.filter((one) => one.kind === "Deployment");
  const addresses = manifests
    .filter((one) => one.kind === "Service")
    .map(({ metadata: { name }, spec }) => {
      const found = single(deployments.filter((one) => matches(spec.selector, one.spec.template.metadata.labels)));
      expect(found.metadata.name).toBe(name);
      const { port } = single(spec.ports);
      expect(single(found.spec.template.spec.containers).args.join(" ")).toContain(`--host 0.0.0.0 --port ${port}`);
      return `${name}:${port}`;
    });
  const env = environmentOf(only(manifests, "TestRun"));
  expect(env).toMatchObject({
    GRPC_TARGET: "load-grpc-js:50051",
    REST_URL: "http://load-rest-express:8080",
    GRAPHQL_URL: "http://load-graphql-apollo:8080",
    REST_URL_MATRIX_CACHE_TRUE: "http://load-rest-express-2:8080",
  });
  const given = sample.servers.map(({ variable }) => env[variable]?.replace(/^http:\/\//, ""));
  expect(given).toEqual(addresses);
});

test("a server that has settings is started with them", () => {
  const { spec } = only(manifestsOf(sample), "Deployment", "load-rest-express-2");
  expect(single(spec.template.spec.containers).args.slice(-2)).toEqual(["--set", "matrix.cache=true"]);
});

test("servers that run elsewhere are called where they are, and nothing is started for them", () => {
  const url = "http://servers.example:50051";
  const some = manifestsOf({
    ...sample,
    servers: sample.servers.map((server) => (server.stack === "grpc-js" ? { ...server, url } : server)),
  });
  expect(environmentOf(only(some, "TestRun"))["GRPC_TARGET"]).toBe(url);
  expect(some.filter(({ kind }) => kind === "Deployment")).toHaveLength(3);
  const none = manifestsOf({ ...sample, servers: sample.servers.map((server) => ({ ...server, url })) });
  expect(none.map(({ kind }) => kind).filter((kind) => /Deployment|Service|NetworkPolicy/.test(kind))).toEqual([]);
});

test("several pods of k6 begin at full minutes, that resuming seldom falls on both sides of; one alone does not wait so long", () => {
  const [two, one] = [2, 1].map((instances) => environmentOf(only(manifestsOf({ ...sample, instances }), "TestRun")));
  expect(two).toMatchObject({ T0_STEP_MS: "60000" });
  expect(one).not.toHaveProperty("T0_STEP_MS");
});

test("an address has nothing that a shell would read: the operator makes a command line of it", () => {
  const url = 'http://servers.example/$(id)/`id`?a="b\\c';
  const manifests = manifestsOf({ ...sample, servers: sample.servers.map((server) => ({ ...server, url })) });
  expect(environmentOf(only(manifests, "TestRun"))["GRPC_TARGET"]).toBe(
    "http://servers.example/%24(id)/%60id%60?a=%22b%5Cc",
  );
});

test("only instances of k6 of the same export may call its servers, and servers call nobody", () => {
  const manifests = manifestsOf(sample);
  const { spec } = only(manifests, "NetworkPolicy");
  const servers = manifests.filter((one) => one.kind === "Deployment").map((one) => one.spec.template.metadata.labels);
  expect(servers.every((labels) => matches(spec.podSelector.matchLabels, labels))).toBe(true);
  const { runner } = only(manifests, "TestRun").spec;
  const { from, ports } = single(spec.ingress);
  const callers = single(from).podSelector.matchLabels;
  expect(matches(callers, runner.metadata.labels)).toBe(true);
  const others = manifestsOf({ ...sample, name: "hello" });
  expect(matches(callers, only(others, "TestRun").spec.runner.metadata.labels)).toBe(false);
  expect(ports.map(({ port }) => port)).toEqual([50_051, 8080]);
  expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], egress: [] });
});

const filesOf = ({ spec }: ManifestOf<"TestRun">) => single(spec.runner.volumes.filter(({ name }) => name === "test"));

const someFiles = uniqueArray(
  record({
    path: stringMatching(/^[a-z2_]{1,3}(?:\/[a-z2_ ]{1,3}){0,2}$/),
    content: oneof(string({ unit: "grapheme" }), uint8Array()),
  }),
  { selector: ({ path }) => path },
);

test("the pods of k6 find the files by the paths that they have in the export, letter for letter", () => {
  assert(
    property(someFiles, (files) => {
      const manifests = manifestsOf({ ...sample, files });
      const { data, binaryData } = only(manifests, "ConfigMap");
      const found = filesOf(only(manifests, "TestRun")).configMap.items.map(({ key, path }) => {
        expect(key).toMatch(/^[-\w.]+$/);
        return { path, content: data[key] ?? Uint8Array.from(Buffer.from(binaryData[key] ?? "", "base64")) };
      });
      expect(found).toEqual(files);
    }),
    { numRuns: 50 },
  );
});

test("files beyond what a ConfigMap holds are copied into a volume that the pods of k6 only read", () => {
  const limit = configMapMaxBytes - 1;
  const fits = manifestsOf({
    ...sample,
    files: [
      { path: "script.js", content: "1".repeat(limit) },
      { path: "a", content: "1" },
    ],
  });
  expect(fits.some(({ kind }) => kind === "ConfigMap")).toBe(true);
  const options = {
    ...sample,
    files: [
      { path: "script.js", content: "1".repeat(limit) },
      { path: "a", content: "12" },
    ],
  };
  const over = manifestsOf(options);
  expect(over.some(({ kind }) => kind === "ConfigMap")).toBe(false);
  expect(filesOf(only(over, "TestRun")).persistentVolumeClaim).toEqual({
    claimName: "load-files",
    readOnly: true,
  });
  const guide = kubernetesFiles(options).find(({ path }) => path === "kubernetes/README.md")?.content;
  expect(guide).toContain("kubectl cp . roundtrip/load-storage:/test");
});

test("each pod of k6 writes a file of its own into a volume that all of them can write to", () => {
  const { spec } = only(manifestsOf(sample), "TestRun");
  expect(spec.arguments).toBe("--env ROUND=1 --out json=/results/$(POD_NAME).json");
  expect(spec.runner.env[0]).toEqual({ name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } });
  const [shared, forOne] = [false, true].map((isOneNode) => manifestsOf({ ...sample, isOneNode }));
  expect(only(shared ?? [], "PersistentVolumeClaim").spec.accessModes).toEqual(["ReadWriteMany"]);
  expect(only(forOne ?? [], "PersistentVolumeClaim").spec.accessModes).toEqual(["ReadWriteOnce"]);
});

test("every object but the namespace is in it, and carries the labels that Kubernetes recommends", () => {
  for (const { kind, metadata } of manifestsOf(sample)) {
    if (kind === "Namespace") continue;
    expect(metadata.name.length).toBeLessThanOrEqual(63);
    expect(metadata).toMatchObject({
      namespace: "roundtrip",
      labels: { "app.kubernetes.io/instance": "load", "app.kubernetes.io/part-of": "roundtrip" },
    });
  }
});
