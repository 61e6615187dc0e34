// Services that a contract may have beside its own: health checking and server reflection. They get their real answers, not made-up ones.
import type { Contract, Handler, Operation, StreamHandler } from "@roundtrip/contract";

/** Services with an implementation for gRPC, under all their names. */
const standardServices = /^grpc\.(?:health\.v1\.Health|reflection\.v1(?:alpha)?\.ServerReflection)$/;

/** Undefined for an operation of another service. The implementation is loaded with the first call. */
export function standardHandler(contract: Contract, operation: Operation): Handler | StreamHandler | undefined {
  const { kind, method } = operation;
  if (!standardServices.test(method.parent.typeName)) return undefined;
  const load = async (): Promise<Handler | StreamHandler> => {
    const { standardHandler: handlerOf } = await import("@roundtrip/styles/grpc/standard-handlers");
    return handlerOf(contract, operation);
  };
  let loaded: ReturnType<typeof load> | undefined;
  if (kind === "unary") {
    const unary: Handler = async (request, call) => ((await (loaded ??= load())) as Handler)(request, call);
    return unary;
  }
  const stream: StreamHandler = async function* (requests, call) {
    yield* ((await (loaded ??= load())) as StreamHandler)(requests, call);
  };
  return stream;
}
