// An export to test with, and its manifests as a cluster reads them.
import { parseAllDocuments } from "yaml";
import { kubernetesFiles } from "../../src/kubernetes/kubernetes-files.ts";
import type { KubernetesOptions, KubernetesServer } from "../../src/kubernetes/kubernetes-options.ts";
import type { Manifest } from "./kind-faults.ts";

const serverOf = (
  stack: string,
  kind: KubernetesServer["kind"],
  variable: string,
  settings: readonly string[] = [],
): KubernetesServer => ({
  id: [stack, ...settings].join("/"),
  stack,
  kind,
  variable,
  usual: "",
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
    { path: "contract.binpb", content: new Uint8Array([0, 255, 10]) },
  ],
};

/** All objects of an export, as its files say them. */
export function manifestsOf(options: KubernetesOptions): readonly Manifest[] {
  return kubernetesFiles(options)
    .filter(({ path }) => path.endsWith(".yaml"))
    .flatMap(({ path, content }) =>
      parseAllDocuments(content as string).map((document) => {
        if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join(", ")}`);
        return document.toJS() as Manifest;
      }),
    );
}

/** The only object of a kind, or the one of that name. */
export function only(manifests: readonly Manifest[], kind: string, name?: string): Manifest {
  const [found, ...more] = manifests.filter(
    (manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
  );
  if (found === undefined || more.length > 0)
    throw new Error(`${more.length + (found ? 1 : 0)} objects ${kind} ${name}`);
  return found;
}
