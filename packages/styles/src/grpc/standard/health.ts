// gRPC health checking: https://github.com/grpc/grpc/blob/master/doc/health-checking.md
import { create } from "@bufbuild/protobuf";
import { CallError, type Contract, type Methods } from "@roundtrip/contract";
import {
  HealthCheckResponse_ServingStatus as Status,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  type Health,
  type HealthCheckResponse,
} from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import { once } from "node:events";

/** The empty name means the whole server. */
const wholeServer = "";

/** Every service of the contract is serving until the server is about to stop. */
export function healthMethods(contract: Contract, stopping: AbortSignal): Methods<typeof Health> {
  const names = new Set([wholeServer, ...contract.operations.map(({ method }) => method.parent.typeName)]);
  const now = (): HealthCheckResponse =>
    create(HealthCheckResponseSchema, { status: stopping.aborted ? Status.NOT_SERVING : Status.SERVING });
  return {
    check({ service }) {
      if (!names.has(service)) throw new CallError("NOT_FOUND", `there is no service ${service}`);
      return now();
    },
    list: () =>
      create(HealthListResponseSchema, { statuses: Object.fromEntries([...names].map((name) => [name, now()])) }),
    async *watch({ service }, { signal }) {
      const isKnown = names.has(service);
      yield isKnown ? now() : create(HealthCheckResponseSchema, { status: Status.SERVICE_UNKNOWN });
      if (stopping.aborted) return;
      await once(stopping, "abort", { signal });
      if (isKnown) yield now();
    },
  };
}
