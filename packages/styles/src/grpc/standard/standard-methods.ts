// Services that gRPC tools expect beside the contract: health checking and server reflection, which are loaded with the first call.
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
  // The same messages under an older name, which many tools still use.
  { path: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
];

/** The standard methods to add to a contract: all but those of services that it has itself. */
export function standardMethods({ operations }: Contract): readonly StandardMethod[] {
  const own = new Set(operations.map(({ method }) => method.parent.typeName));
  return methods.filter(({ path }) => !own.has(path.split("/")[1] ?? ""));
}
