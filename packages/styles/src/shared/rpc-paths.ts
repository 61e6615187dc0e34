// The operations of a contract by the path that gRPC uses.
import type { Contract, Operation } from "@roundtrip/contract";

/** By `/package.Service/Method`. */
export function operationsByPath({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(
    operations.map((operation) => [`/${operation.method.parent.typeName}/${operation.method.name}`, operation]),
  );
}

/** The path of a request target, and its query without the question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
