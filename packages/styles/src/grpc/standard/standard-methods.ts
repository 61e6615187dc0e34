// The services that gRPC's own tools expect of every server, beside the contract: health checking and server reflection. What answers
// them is loaded with the first call that asks, so that a server which is measured holds nothing of it.
import type { Contract, OperationKind } from "@roundtrip/contract";

export interface StandardMethod {
  readonly path: string;
  readonly kind: OperationKind;
}

const methods: readonly StandardMethod[] = [
  { path: "/grpc.health.v1.Health/Check", kind: "unary" },
  { path: "/grpc.health.v1.Health/List", kind: "unary" },
  { path: "/grpc.health.v1.Health/Watch", kind: "server_streaming" },
  { path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
  // The same messages under an older name, which many tools still ask for.
  { path: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
];

/** Those of them that a server of this contract adds: all but the services that the contract has itself. */
export function standardMethods({ operations }: Contract): readonly StandardMethod[] {
  const own = new Set(operations.map(({ method }) => method.parent.typeName));
  return methods.filter(({ path }) => !own.has(path.split("/")[1] ?? ""));
}
