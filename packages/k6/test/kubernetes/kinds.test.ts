import { expect, test } from "vitest";
import { kindFaults, type Manifest } from "./kind-faults.ts";
import { manifestsOf, only, sample } from "./sample.ts";

const large = { path: "plan.json", content: "1".repeat(1024 * 1024 + 1) };

const exportsToTry = {
  "an export": sample,
  "one for a single node": { ...sample, isOneNode: true, instances: 1 },
  "one with a plan larger than a ConfigMap": { ...sample, files: [...sample.files.slice(0, 2), large] },
  "one whose servers run elsewhere": {
    ...sample,
    servers: sample.servers.map((server) => ({ ...server, url: "http://servers.example" })),
  },
};

for (const [title, options] of Object.entries(exportsToTry)) {
  test(`every manifest of ${title} is as the schemas of Kubernetes and of k6-operator have it`, () => {
    const faults = manifestsOf(options).flatMap((manifest) =>
      kindFaults(manifest).map((fault) => `${manifest.kind} ${manifest.metadata.name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
}

/** Changes a copy of the export's object of a kind. */
function changed(kind: string, name: string | undefined, change: (manifest: Manifest) => void): Manifest {
  const copy = structuredClone(only(manifestsOf(sample), kind, name));
  change(copy);
  return copy;
}

const mutants: readonly [string, string, string | undefined, (manifest: Manifest) => void][] = [
  ["a TestRun without parallelism", "TestRun", undefined, ({ spec }) => delete spec.parallelism],
  ["a TestRun without a script", "TestRun", undefined, ({ spec }) => delete spec.script],
  ["a TestRun with a field that nobody knows", "TestRun", undefined, ({ spec }) => (spec.instances = 2)],
  ["a number of instances in words", "TestRun", undefined, ({ spec }) => (spec.parallelism = "two")],
  ["a misspelled field of its pods", "TestRun", undefined, ({ spec }) => (spec.runner.volumeMount = [])],
  ["a variable without a name", "TestRun", undefined, ({ spec }) => delete spec.runner.env[0].name],
  ["a volume without a name", "TestRun", undefined, ({ spec }) => delete spec.runner.volumes[0].name],
  [
    "a token switch that is no text",
    "TestRun",
    undefined,
    ({ spec }) => (spec.runner.automountServiceAccountToken = false),
  ],
  [
    "a probe on a port of no kind",
    "Deployment",
    "load-grpc-js",
    ({ spec }) => {
      spec.template.spec.containers[0].startupProbe.grpc.port = "fifty";
    },
  ],
  ["a Deployment without a selector", "Deployment", "load-grpc-js", ({ spec }) => delete spec.selector],
  [
    "a container without a name",
    "Deployment",
    "load-grpc-js",
    ({ spec }) => delete spec.template.spec.containers[0].name,
  ],
  [
    "a Deployment of an old version",
    "Deployment",
    "load-grpc-js",
    (manifest) => {
      (manifest as { apiVersion: string }).apiVersion = "apps/v1beta1";
    },
  ],
  ["a Service whose ports are no list", "Service", "load-grpc-js", ({ spec }) => (spec.ports = spec.ports[0])],
  ["a policy of a type in a text", "NetworkPolicy", undefined, ({ spec }) => (spec.policyTypes = "Ingress")],
  [
    "a claim of a mode in a text",
    "PersistentVolumeClaim",
    undefined,
    ({ spec }) => (spec.accessModes = "ReadWriteMany"),
  ],
  ["a ConfigMap with a number", "ConfigMap", undefined, ({ data }) => (data["plan.json"] = 1)],
];

test.for(mutants)("%s is refused", ([, kind, name, change]) => {
  expect(kindFaults(changed(kind, name, change))).not.toEqual([]);
});
