// Public contracts that nobody here wrote, by the packages that they are published in. Versions are fixed, so that figures can be compared.

/** A package of a public registry. The ordinary client of the registry fetches it. */
export type PublicPackage =
  | { readonly from: "go" | "npm"; readonly name: string; readonly version: string }
  | { readonly from: "pypi"; readonly name: string; readonly version: string }
  /** `group:artifact`. */
  | { readonly from: "maven"; readonly name: string; readonly version: string };

export interface PublicContract {
  readonly name: string;
  /** The first has the contract, the others what it imports. */
  readonly packages: readonly [PublicPackage, ...PublicPackage[]];
  /** The contract in the first package: a folder or a file. */
  readonly path: string;
  /** Folders of imports, as `package:folder` with the package's position. */
  readonly imports: readonly string[];
  /** Import paths that a package lacks because its folder is their root: `etcd/api` is package 0. */
  readonly mounted: Readonly<Record<string, number>>;
  /** Its edges in GraphQL, of a contract that is made to show them. */
  readonly edges?: readonly string[];
}

const google: PublicPackage = { from: "npm", name: "google-proto-files", version: "6.0.1" };

function ofGoogle(name: string, path: string): PublicContract {
  return { name, packages: [google], path: `google/${path}`, imports: [], mounted: {} };
}

const xds: PublicPackage = { from: "npm", name: "@grpc/grpc-js-xds", version: "1.14.1" };
const cosmos: readonly [PublicPackage, ...PublicPackage[]] = [
  { from: "npm", name: "@protobufs/cosmos", version: "0.1.0" },
  { from: "npm", name: "@protobufs/cosmos_proto", version: "0.0.10" },
  { from: "npm", name: "@protobufs/gogoproto", version: "0.0.10" },
  { from: "npm", name: "@protobufs/amino", version: "0.0.11" },
  { from: "npm", name: "@protobufs/tendermint", version: "0.0.10" },
];

function ofCosmos(name: string, path: string): PublicContract {
  return {
    name,
    packages: cosmos,
    path,
    imports: [],
    mounted: { cosmos: 0, cosmos_proto: 1, gogoproto: 2, amino: 3, tendermint: 4 },
  };
}

function ofGo(name: string, module: string, version: string, path: string): PublicContract {
  return {
    name,
    packages: [{ from: "go", name: module, version }],
    path,
    imports: [],
    mounted: {},
  };
}

const buf: PublicPackage = { from: "go", name: "github.com/bufbuild/buf", version: "v1.75.0" };
const gateway: PublicPackage = { from: "go", name: "github.com/grpc-ecosystem/grpc-gateway/v2", version: "v2.33.0" };

export const publicContracts: readonly PublicContract[] = [
  ofGoogle("secretmanager", "cloud/secretmanager/v1"),
  ofGoogle("spanner", "spanner/v1"),
  ofGoogle("logging", "logging/v2"),
  ofGoogle("longrunning", "longrunning"),
  ofGoogle("pubsub", "pubsub/v1"),
  ofGoogle("firestore", "firestore/v1"),
  {
    ...ofGo("etcd", "go.etcd.io/etcd/api/v3", "v3.7.3", "etcdserverpb/rpc.proto"),
    packages: [{ from: "go", name: "go.etcd.io/etcd/api/v3", version: "v3.7.3" }, gateway],
    imports: ["1:."],
    mounted: { "etcd/api": 0 },
  },
  { ...ofGo("lnd", "github.com/lightningnetwork/lnd", "v0.18.5-beta", "lnrpc/lightning.proto"), imports: ["0:lnrpc"] },
  { ...ofGo("containerd", "github.com/containerd/containerd/api", "v1.12.0", "services"), imports: ["0:."] },
  { ...ofGo("grpc-gateway", gateway.name, gateway.version, "examples/internal/proto/examplepb"), imports: ["0:."] },
  ofGo("buf-registry", buf.name, buf.version, "proto/buf/alpha/registry/v1alpha1"),
  ofGo("kubernetes-cri", "k8s.io/cri-api", "v0.37.2", "pkg/apis/runtime/v1/api.proto"),
  ofGo("connect-ping", "connectrpc.com/connect", "v1.21.1", "internal/proto/connect/ping/v1/ping.proto"),
  {
    ...ofGo("go-protobuf-tests", "google.golang.org/protobuf", "v1.36.12", "internal/testprotos/test/test.proto"),
    imports: ["0:."],
  },
  {
    ...ofGo("freight", "go.einride.tech/aip", "v0.80.0", "proto/einride/example/freight/v1"),
    imports: ["0:proto"],
    edges: [
      "Shipper.sites: ListSites",
      "Shipper.shipments: ListShipments",
      "Shipment.originSiteResource: GetSite or BatchGetSites",
      "Shipment.destinationSiteResource: GetSite or BatchGetSites",
    ],
  },
  {
    name: "temporal",
    packages: [{ from: "pypi", name: "temporalio", version: "1.9.0" }],
    path: "temporalio/bridge/sdk-core/sdk-core-protos/protos/api_upstream/temporal/api/workflowservice/v1/service.proto",
    imports: ["0:temporalio/bridge/sdk-core/sdk-core-protos/protos/api_upstream"],
    mounted: {},
  },
  {
    name: "envoy",
    packages: [xds],
    path: "deps/envoy-api/envoy/service/discovery/v3/ads.proto",
    imports: ["0:deps/envoy-api", "0:deps/xds", "0:deps/protoc-gen-validate", "0:deps/googleapis"],
    mounted: {},
  },
  {
    name: "opentelemetry",
    packages: [{ from: "maven", name: "io.opentelemetry.proto:opentelemetry-proto", version: "1.9.0-alpha" }],
    path: "opentelemetry/proto/collector",
    imports: ["0:."],
    mounted: {},
  },
  {
    name: "kudu",
    packages: [{ from: "maven", name: "org.apache.kudu:kudu-client", version: "1.18.1" }],
    path: "kudu/master/master.proto",
    imports: ["0:."],
    mounted: {},
  },
  {
    name: "authzed",
    packages: [{ from: "maven", name: "com.authzed.api:authzed", version: "0.7.0" }],
    path: "authzed/api/v1",
    imports: ["0:."],
    mounted: {},
  },
  ofGo(
    "open-inference",
    "github.com/kserve/kserve",
    "v0.15.2",
    "python/kserve/kserve/protocol/grpc/grpc_predict_v2.proto",
  ),
  ofCosmos("cosmos-bank", "bank/v1beta1"),
  ofCosmos("cosmos-tx", "tx/v1beta1"),
  // Of some hundred and of a thousand operations: last, because they take longest and begin first.
  ofGoogle("aiplatform", "cloud/aiplatform/v1"),
  ofGoogle("compute", "cloud/compute/v1"),
];
