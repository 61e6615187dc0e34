import { expect, test } from "vitest";
import { kindFaults } from "./kind-faults.ts";
import type { Manifest } from "./manifest.ts";
import { changed, exportsToTry, manifestsOf, type Change } from "./sample.ts";

for (const [title, options] of Object.entries(exportsToTry)) {
  test(`every manifest of ${title} is as the schemas of Kubernetes have it`, () => {
    const faults = manifestsOf(options).flatMap((manifest) =>
      kindFaults(manifest).map((fault) => `${manifest.kind} ${manifest.metadata.name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
}

const server = "load-grpc-js";
const container = ["spec", "template", "spec", "containers", 0] as const;

const mutants: readonly (readonly [string, Manifest["kind"], string | undefined, Change])[] = [
  ["a variable without a name", "TestRun", undefined, { path: ["spec", "runner", "env", 0, "name"] }],
  ["a volume without a name", "TestRun", undefined, { path: ["spec", "runner", "volumes", 0, "name"] }],
  [
    "a probe on a port of no kind",
    "Deployment",
    server,
    { path: [...container, "startupProbe", "grpc", "port"], value: "fifty" },
  ],
  ["a Deployment without a selector", "Deployment", server, { path: ["spec", "selector"] }],
  ["a container without a name", "Deployment", server, { path: [...container, "name"] }],
  ["a Deployment of an old version", "Deployment", server, { path: ["apiVersion"], value: "apps/v1beta1" }],
  ["a Service whose ports are no list", "Service", server, { path: ["spec", "ports"], value: { port: 50_051 } }],
  ["a policy of a type in a text", "NetworkPolicy", undefined, { path: ["spec", "policyTypes"], value: "Ingress" }],
  [
    "a claim of a mode in a text",
    "PersistentVolumeClaim",
    undefined,
    { path: ["spec", "accessModes"], value: "ReadWriteMany" },
  ],
  ["a ConfigMap with a number", "ConfigMap", undefined, { path: ["data", "plan.json"], value: 1 }],
];

test.for(mutants)("%s is refused", ([, kind, name, change]) => {
  expect(kindFaults(changed(kind, name, change))).not.toEqual([]);
});
