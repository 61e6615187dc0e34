// gRPC: calls and messages as protobuf defines them.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import type { Limitation, OperationView, Style } from "../basics/style.ts";
import { streamPrefixes } from "../shared/limitations.ts";

export const limitations = [
  { feature: "together", reason: "a gRPC call carries one method; calls in parallel share a connection instead" },
] as const satisfies readonly Limitation[];

/** A type's name relative to this package. */
function nameIn(protoPackage: string, { typeName }: DescMessage): string {
  return typeName.startsWith(`${protoPackage}.`) ? typeName.slice(protoPackage.length + 1) : typeName;
}

/** The method in a .proto file; gRPC loses nothing. */
export function viewOf(operation: Operation): OperationView {
  const { method, input, output, kind } = operation;
  const protoPackage = method.parent.file.proto.package;
  const { input: inputPrefix, output: outputPrefix } = streamPrefixes[kind];
  const request = inputPrefix + nameIn(protoPackage, input);
  const response = outputPrefix + nameIn(protoPackage, output);
  return {
    signature: `rpc ${method.name}(${request}) returns (${response})`,
    lost: [],
  };
}

export const style: Style = {
  name: "grpc",
  title: "gRPC",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationReasons: [],
  autocannon: "it speaks HTTP/1.1, and gRPC HTTP/2",
  k6: { module: "grpc" },
  endpoint: "",
  health: { protocol: "grpc" },
  documentPaths: [],
  inspection: {
    kind: "command",
    hint: "Tools such as grpcurl and Postman find the contract by reflection. With buf:",
    // Without TLS, the client must be configured to use HTTP/2.
    command: (url) =>
      `npx @bufbuild/buf curl --protocol grpc ${url.startsWith("https:") ? "--cacert FILE" : "--http2-prior-knowledge"} --list-methods ${url}`,
  },
  view: viewOf,
  // gRPC users expect the contract itself.
  documents: () => Promise.resolve([]),
};
