// Public contracts that nobody here wrote, by the packages that they are published in. Versions are fixed, so that figures can be compared.

/** A package of a public registry. The ordinary client of the registry fetches it. In Maven, names are `group:artifact`. */
export interface PublicPackage {
  readonly from: "go" | "npm" | "pypi" | "maven";
  readonly name: string;
  readonly version: string;
}

export interface PublicContract {
  readonly name: string;
  /** The first has the contract, the others what it imports. */
  readonly packages: readonly [PublicPackage, ...PublicPackage[]];
  /** The contract in the first package: a folder or a file. */
  readonly path: string;
  /** Folders of imports, as `package:folder` with the package's position. */
  readonly imports?: readonly string[];
  /** Import paths that a package lacks because its folder is their root: `etcd/api` is package 0. */
  readonly mounted?: Readonly<Record<string, number>>;
  /** Its edges in GraphQL, of a contract that is made to show them. */
  readonly edges?: readonly string[];
}

/** A contract in one package, whose imports are in these folders of it. */
function of(
  name: string,
  [from, packageName, version]: readonly [PublicPackage["from"], string, string],
  path: string,
  ...folders: readonly string[]
): PublicContract {
  const imports = folders.map((folder) => `0:${folder}`);
  return { name, packages: [{ from, name: packageName, version }], path, imports };
}

function ofGoogle(name: string, path: string): PublicContract {
  return of(name, ["npm", "google-proto-files", "6.0.1"], `google/${path}`);
}

const protobufs = (part: string, version: string): PublicPackage => ({
  from: "npm",
  name: `@protobufs/${part}`,
  version,
});

function ofCosmos(name: string, path: string): PublicContract {
  return {
    name,
    packages: [
      protobufs("cosmos", "0.1.0"),
      protobufs("cosmos_proto", "0.0.10"),
      protobufs("gogoproto", "0.0.10"),
      protobufs("amino", "0.0.11"),
      protobufs("tendermint", "0.0.10"),
    ],
    path,
    mounted: { cosmos: 0, cosmos_proto: 1, gogoproto: 2, amino: 3, tendermint: 4 },
  };
}

const gateway = ["go", "github.com/grpc-ecosystem/grpc-gateway/v2", "v2.33.0"] as const;
const temporal = "temporalio/bridge/sdk-core/sdk-core-protos/protos/api_upstream";

export const publicContracts: readonly PublicContract[] = [
  ofGoogle("secretmanager", "cloud/secretmanager/v1"),
  ofGoogle("spanner", "spanner/v1"),
  ofGoogle("logging", "logging/v2"),
  ofGoogle("longrunning", "longrunning"),
  ofGoogle("pubsub", "pubsub/v1"),
  ofGoogle("firestore", "firestore/v1"),
  {
    name: "etcd",
    packages: [
      { from: "go", name: "go.etcd.io/etcd/api/v3", version: "v3.7.3" },
      { from: "go", name: gateway[1], version: gateway[2] },
    ],
    path: "etcdserverpb/rpc.proto",
    imports: ["1:."],
    mounted: { "etcd/api": 0 },
  },
  of("lnd", ["go", "github.com/lightningnetwork/lnd", "v0.18.5-beta"], "lnrpc/lightning.proto", "lnrpc"),
  of("containerd", ["go", "github.com/containerd/containerd/api", "v1.12.0"], "services", "."),
  of("grpc-gateway", gateway, "examples/internal/proto/examplepb", "."),
  of("buf-registry", ["go", "github.com/bufbuild/buf", "v1.75.0"], "proto/buf/alpha/registry/v1alpha1"),
  of("kubernetes-cri", ["go", "k8s.io/cri-api", "v0.37.2"], "pkg/apis/runtime/v1/api.proto"),
  of("connect-ping", ["go", "connectrpc.com/connect", "v1.21.1"], "internal/proto/connect/ping/v1/ping.proto"),
  of("go-protobuf-tests", ["go", "google.golang.org/protobuf", "v1.36.12"], "internal/testprotos/test/test.proto", "."),
  {
    ...of("freight", ["go", "go.einride.tech/aip", "v0.80.0"], "proto/einride/example/freight/v1", "proto"),
    edges: [
      "Shipper.sites: ListSites",
      "Shipper.shipments: ListShipments",
      "Shipment.originSiteResource: GetSite or BatchGetSites",
      "Shipment.destinationSiteResource: GetSite or BatchGetSites",
    ],
  },
  of(
    "temporal",
    ["pypi", "temporalio", "1.9.0"],
    `${temporal}/temporal/api/workflowservice/v1/service.proto`,
    temporal,
  ),
  of(
    "envoy",
    ["npm", "@grpc/grpc-js-xds", "1.14.1"],
    "deps/envoy-api/envoy/service/discovery/v3/ads.proto",
    ...["envoy-api", "xds", "protoc-gen-validate", "googleapis"].map((folder) => `deps/${folder}`),
  ),
  of(
    "opentelemetry",
    ["maven", "io.opentelemetry.proto:opentelemetry-proto", "1.9.0-alpha"],
    "opentelemetry/proto/collector",
    ".",
  ),
  of("kudu", ["maven", "org.apache.kudu:kudu-client", "1.18.1"], "kudu/master/master.proto", "."),
  of("authzed", ["maven", "com.authzed.api:authzed", "0.7.0"], "authzed/api/v1", "."),
  of(
    "open-inference",
    ["go", "github.com/kserve/kserve", "v0.15.2"],
    "python/kserve/kserve/protocol/grpc/grpc_predict_v2.proto",
  ),
  ofCosmos("cosmos-bank", "bank/v1beta1"),
  ofCosmos("cosmos-tx", "tx/v1beta1"),
  // Of some hundred and of a thousand operations: last, because they take longest and begin first.
  ofGoogle("aiplatform", "cloud/aiplatform/v1"),
  ofGoogle("compute", "cloud/compute/v1"),
];
