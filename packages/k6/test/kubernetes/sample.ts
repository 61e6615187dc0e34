// An export to test with, and its manifests as a cluster reads them.
import { loadStyle } from "@roundtrip/styles";
import { parseAllDocuments } from "yaml";
import { kubernetesFiles, type KubernetesOptions, type KubernetesServer } from "../../src/kubernetes/kubernetes.ts";

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
    serverOf("rest-express", "rest", "REST_URL_MATRIX_CACHE_200", ["matrix.cache=200"]),
  ],
};

/** Its servers run elsewhere. */
export const elsewhere: KubernetesOptions = {
  ...sample,
  servers: sample.servers.map((server) => ({ ...server, url: "http://servers.example:50051" })),
};

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

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

/** The only object of a kind, or the one of that name. @typeParam Kind what the test reads of it */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the fields that it reads
export function only<Kind>(manifests: readonly Manifest[], kind: string, name?: string): Manifest & Kind {
  const found = manifests.filter(
    (manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
  );
  if (found.length !== 1) throw new Error(`${found.length} objects ${kind} ${name ?? ""}`);
  return found[0] as Manifest & Kind;
}
