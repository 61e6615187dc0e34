// An export to test with, and its manifests as a cluster reads them.
import { expect } from "vitest";
import { parseAllDocuments, type Document } from "yaml";
import { loadStyle } from "@roundtrip/styles";
import { kubernetesFiles } from "../../src/kubernetes/kubernetes-files.ts";
import type { KubernetesOptions, KubernetesServer } from "../../src/kubernetes/kubernetes-options.ts";
import { configMapMaxBytes } from "../../src/kubernetes/test-files.ts";
import type { Manifest, ManifestOf } from "./manifest.ts";

const styles = {
  grpc: await loadStyle("grpc"),
  rest: await loadStyle("rest"),
  graphql: await loadStyle("graphql"),
} as const;

const serverOf = (
  stack: string,
  style: keyof typeof styles,
  variable: string,
  settings: readonly string[] = [],
): KubernetesServer => ({
  id: [stack, ...settings].join("/"),
  stack,
  calls: styles[style].k6 as KubernetesServer["calls"],
  health: styles[style].health,
  variable,
  usual: "",
  path: "",
  settings,
  setup: [],
  url: undefined,
});

export const sample: KubernetesOptions = {
  name: "load",
  namespace: "roundtrip",
  image: "registry.example/roundtrip:0.1.0",
  instances: 2,
  isOneNode: false,
  calls: 20_000,
  rounds: 6,
  servers: [
    serverOf("grpc-js", "grpc", "GRPC_TARGET"),
    serverOf("rest-express", "rest", "REST_URL"),
    serverOf("graphql-apollo", "graphql", "GRAPHQL_URL"),
    serverOf("rest-express", "rest", "REST_URL_MATRIX_CACHE_TRUE", ["matrix.cache=true"]),
  ],
  files: [
    { path: "script.js", content: 'import "./calls.js";\n' },
    { path: "calls.js", content: "export const one = 1;\n" },
    { path: "plan.json", content: '{ "formatVersion": 1 }\n' },
    { path: "calls.binpb", content: new Uint8Array([0, 255, 10]) },
  ],
};

const large = { path: "plan.json", content: "1".repeat(configMapMaxBytes) };

/** By what they are, for titles. */
export const exportsToTry: Readonly<Record<string, KubernetesOptions>> = {
  "an export": sample,
  "one for a single node": { ...sample, isOneNode: true, instances: 1 },
  "one with a plan larger than a ConfigMap": { ...sample, files: [...sample.files.slice(0, 2), large] },
  "one whose servers run elsewhere": {
    ...sample,
    servers: sample.servers.map((server) => ({ ...server, url: "http://servers.example" })),
  },
};

function documentsOf(options: KubernetesOptions): readonly Document[] {
  return kubernetesFiles(options)
    .filter(({ path }) => path.endsWith(".yaml"))
    .flatMap(({ path, content }) =>
      parseAllDocuments(content as string).map((document) => {
        if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join(", ")}`);
        return document;
      }),
    );
}

/** All objects of an export, as its files say them. */
export function manifestsOf(options: KubernetesOptions): readonly Manifest[] {
  return documentsOf(options).map((document) => document.toJS() as Manifest);
}

/** The only one of a list. */
export function single<Item>(items: readonly Item[]): Item {
  const [found, ...more] = items;
  if (found === undefined || more.length > 0) throw new Error(`${items.length} items, not one`);
  return found;
}

/** The only object of a kind, or the one of that name. */
export function only<Kind extends Manifest["kind"]>(
  manifests: readonly Manifest[],
  kind: Kind,
  name?: string,
): ManifestOf<Kind> {
  return single(
    manifests.filter(
      (manifest): manifest is ManifestOf<Kind> =>
        manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
    ),
  );
}

/** A field that has another value, or is gone. */
export interface Change {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/** An object of the sample, as somebody might write it by mistake. */
export function changed(kind: Manifest["kind"], name: string | undefined, { path, value }: Change): Manifest {
  const { metadata } = only(manifestsOf(sample), kind, name);
  const found = single(
    documentsOf(sample).filter(
      (document) => document.get("kind") === kind && document.getIn(["metadata", "name"]) === metadata.name,
    ),
  );
  if (value === undefined) expect(found.deleteIn(path)).toBe(true);
  else found.setIn(path, value);
  return found.toJS() as Manifest;
}
