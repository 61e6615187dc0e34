// One operation in a gRPC developer's notation, and what gRPC cannot carry.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import type { Limitation, OperationView } from "../basics/style.ts";
import { streamPrefixes } from "../shared/streams.ts";

/** Features that the protocol cannot support with any library. */
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
