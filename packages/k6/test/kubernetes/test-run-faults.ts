// What k6-operator's documentation says of a TestRun, as strictly as `kubectl apply` takes it: fields that it does not name are faults. What its pods are
// told is of Kubernetes' own types, and is held against these as part of a pod. With K6_OPERATOR_CRD (a file, `k6.io_testruns.yaml` of the operator's
// repository), manifests are held against the published schema too: it is not kept here.
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" } as const;
const anything = {} as const;

function closed(properties: Schema, required: readonly string[]): Schema {
  return { type: "object", properties, required, additionalProperties: false };
}

const pod = closed(
  {
    image: text,
    metadata: { type: "object" },
    // Of type string there.
    automountServiceAccountToken: text,
    securityContext: anything,
    containerSecurityContext: anything,
    env: anything,
    resources: anything,
    affinity: anything,
    topologySpreadConstraints: anything,
    volumes: anything,
    volumeMounts: anything,
  },
  [],
);

/** https://grafana.com/docs/k6/latest/set-up/set-up-distributed-k6/usage/configure-testrun-crd/ */
const documented = closed(
  {
    apiVersion: { const: "k6.io/v1alpha1" },
    kind: { const: "TestRun" },
    metadata: { type: "object", required: ["name"] },
    spec: closed(
      {
        parallelism: { type: "integer", minimum: 1 },
        script: closed({ localFile: text }, ["localFile"]),
        arguments: text,
        initializer: pod,
        starter: pod,
        runner: pod,
      },
      ["parallelism", "script"],
    ),
  },
  ["apiVersion", "kind", "metadata", "spec"],
);

/** A structural schema drops what it does not name; validation by `kubectl` refuses it. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema as Schema).map(([key, value]) => [key, strict(value)]));
  const isOpen = inner["properties"] === undefined || inner["x-kubernetes-preserve-unknown-fields"] === true;
  return isOpen || inner["type"] !== "object" ? inner : { ...inner, additionalProperties: false };
}

interface Crd {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** The operator's own schema, where somebody has said where it is. */
function published(): readonly Schema[] {
  const path = process.env["K6_OPERATOR_CRD"];
  if (path === undefined) return [];
  const { spec } = parse(readFileSync(path, "utf8")) as Crd;
  return spec.versions.flatMap(({ name, schema }) =>
    name === "v1alpha1" ? [strict(schema.openAPIV3Schema) as Schema] : [],
  );
}

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const validators = [documented, ...published()].map((schema) => ajv.compile(schema));

/** Where and what, a line for each fault; empty for none. */
export function testRunFaults(manifest: unknown): readonly string[] {
  return validators.flatMap((validate) => {
    if (validate(manifest)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  });
}

interface OperatorPod extends Schema {
  readonly securityContext?: unknown;
}

function given(members: Schema): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What each of the operator's pods comes to, as a manifest of Kubernetes. */
export function podsOf(manifest: unknown): readonly Schema[] {
  const { spec } = manifest as { readonly spec: Readonly<Record<string, OperatorPod | undefined>> };
  return ["initializer", "starter", "runner"].flatMap((name) => {
    const told = spec[name];
    if (told === undefined) return [];
    const { securityContext, affinity, topologySpreadConstraints, volumes } = told;
    const { containerSecurityContext, env, resources, volumeMounts, image = "k6" } = told;
    const container = given({
      name: "k6",
      image,
      env,
      resources,
      volumeMounts,
      securityContext: containerSecurityContext,
    });
    const pods = given({ securityContext, affinity, topologySpreadConstraints, volumes, containers: [container] });
    return [{ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: pods }];
  });
}
