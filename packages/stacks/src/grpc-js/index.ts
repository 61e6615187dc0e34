// gRPC as this project speaks it: the description of the stack, without its library.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { settings } from "./settings.ts";
import type { Limitation, OperationView, Stack } from "../stack.ts";

const limitations = [
  { feature: "together", reason: "a gRPC call carries one method; calls in parallel share a connection instead" },
  {
    feature: "tlsResumption",
    reason: "grpc-js keeps no TLS session for a next connection: each has a full handshake",
  },
] as const satisfies readonly Limitation[];

const prefixes = {
  unary: { input: "", output: "" },
  server_streaming: { input: "", output: "stream " },
  client_streaming: { input: "stream ", output: "" },
  bidi_streaming: { input: "stream ", output: "stream " },
} as const satisfies Record<Operation["kind"], { input: string; output: string }>;

/** A type's name as it is written in a file of this package. */
function nameIn(protoPackage: string, { typeName }: DescMessage): string {
  return typeName.startsWith(`${protoPackage}.`) ? typeName.slice(protoPackage.length + 1) : typeName;
}

function view(operation: Operation): OperationView {
  const { method, input, output, kind } = operation;
  const protoPackage = method.parent.file.proto.package;
  const { input: inputPrefix, output: outputPrefix } = prefixes[kind];
  const request = inputPrefix + nameIn(protoPackage, input);
  const response = outputPrefix + nameIn(protoPackage, output);
  return {
    signature: `rpc ${method.name}(${request}) returns (${response})`,
    lost: [],
  };
}

export const stack: Stack = {
  name: "grpc-js",
  title: "gRPC",
  role: "style",
  wire: "http/2",
  // The server's SETTINGS, which HTTP/2 lets a client not wait for, and grpc-js does.
  connectRoundTrips: 1,
  libraries: ["@grpc/grpc-js", "@bufbuild/protobuf"],
  limitations,
  settings,
  view,
  // The contract itself is the document that gRPC's users expect.
  documents: () => Promise.resolve([]),
};
