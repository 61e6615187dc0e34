// The services that gRPC's own tools expect of every server, beside the contract: health checking and server reflection. What answers
// them is loaded with the first call that asks, so that a server which is measured holds nothing of it.
import type { Server, UntypedHandleCall } from "@grpc/grpc-js";
import type { OperationKind, Service } from "@roundtrip/contract";
import { bytesMethod } from "../calls/method-definition.ts";

const methods = [
  { path: "/grpc.health.v1.Health/Check", kind: "unary" },
  { path: "/grpc.health.v1.Health/List", kind: "unary" },
  { path: "/grpc.health.v1.Health/Watch", kind: "server_streaming" },
  { path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
  // The same messages under an older name, which many tools still ask for.
  { path: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", kind: "bidi_streaming" },
] as const satisfies readonly { readonly path: string; readonly kind: OperationKind }[];

/** Those of them that take a stream of requests, by path. */
export const standardRequestStreams: readonly string[] = methods
  .filter(({ kind }) => kind === "bidi_streaming")
  .map(({ path }) => path);

/**
 * Adds them to a server, except for services that the contract has itself, and gives the paths of what was added.
 * @param stopping tells those who watch the server's health that it is about to stop.
 */
export function addStandardServices(server: Server, service: Service, stopping: AbortSignal): readonly string[] {
  let handlers: Promise<ReadonlyMap<string, UntypedHandleCall>> | undefined;
  async function load(): Promise<ReadonlyMap<string, UntypedHandleCall>> {
    const { standardHandlers } = await import("./standard-handlers.ts");
    return standardHandlers(service, stopping);
  }
  const own = new Set(service.contract.operations.map(({ method }) => method.parent.typeName));
  const added = methods.filter(({ path }) => !own.has(path.split("/")[1] ?? ""));
  for (const { path, kind } of added) {
    const [, , name = ""] = path.split("/");
    const handler = async (...call: readonly unknown[]): Promise<void> => {
      const answer = (await (handlers ??= load())).get(path) as (...args: readonly unknown[]) => void;
      answer(...call);
    };
    // Not `{ [name]: handler }`: the linter fails on a function under a computed name.
    server.addService({ [name]: bytesMethod(path, kind) }, Object.fromEntries([[name, handler]]));
  }
  return added.map(({ path }) => path);
}
