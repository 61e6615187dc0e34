// The schema of a TestRun that k6-operator publishes, as strict as `kubectl apply`: fields that it does not name are faults. It is read from the
// operator's sources where Go keeps them, or from the file that K6_OPERATOR_CRD names; nothing of it is kept here.
import { Ajv } from "ajv";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { operatorVersion } from "../../src/kubernetes/kubernetes.ts";

/** What brings the sources to this machine. */
export const howToGetIt = `go mod download github.com/grafana/k6-operator@${operatorVersion}`;

const pathInSources = "config/crd/bases/k6.io_testruns.yaml";

/** Undefined where the sources are not on this machine. */
export function schemaFile(): string | undefined {
  const given = process.env["K6_OPERATOR_CRD"];
  if (given !== undefined) return given;
  try {
    const modules = execFileSync("go", ["env", "GOMODCACHE"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const path = join(modules.trim(), `github.com/grafana/k6-operator@${operatorVersion}`, pathInSources);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

type Schema = Readonly<Record<string, unknown>>;

/** A cluster drops what a structural schema does not name; `kubectl` has it refused. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema as Schema).map(([key, value]) => [key, strict(value)]));
  const isOpen = inner["properties"] === undefined || inner["x-kubernetes-preserve-unknown-fields"] === true;
  return isOpen || inner["type"] !== "object" ? inner : { ...inner, additionalProperties: false };
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** Where and what, a line for each fault; empty for a manifest that a cluster with this operator takes. */
export type FaultsOf = (manifest: { readonly apiVersion: string; readonly kind: string }) => readonly string[];

/** Undefined where the operator's sources are not on this machine. */
export function publishedSchema(): FaultsOf | undefined {
  const path = schemaFile();
  if (path === undefined) return undefined;
  const { spec } = parse(readFileSync(path, "utf8")) as Definition;
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const validators = new Map(
    spec.versions
      .filter(({ served }) => served)
      .map(({ name, schema }) => [
        `${spec.names.kind} of ${spec.group}/${name}`,
        ajv.compile(strict(schema.openAPIV3Schema) as Schema),
      ]),
  );
  return (manifest) => {
    const kind = `${manifest.kind} of ${manifest.apiVersion}`;
    const validate = validators.get(kind);
    if (validate === undefined) return [`${kind} is not one of ${[...validators.keys()].join(", ")}`];
    validate(manifest);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
