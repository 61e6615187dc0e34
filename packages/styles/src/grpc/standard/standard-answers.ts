// Answers health checks and server reflection with the code that answers the contract; they are not part of the contract.
import { create, toBinary } from "@bufbuild/protobuf";
import {
  file_google_protobuf_any,
  file_google_protobuf_duration,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import {
  CallError,
  type Contract,
  contractFromImage,
  endlessMs,
  handlersOf,
  type Methods,
  type Service,
  methodPath,
} from "@roundtrip/contract";
import { file_google_rpc_error_details } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { file_google_rpc_status } from "@roundtrip/contract/gen/google/rpc/status_pb";
import {
  file_grpc_health_v1_health,
  Health,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus as Status,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
} from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { once } from "node:events";
import type { ServedMethod } from "../server.ts";
import { reflectionMethods } from "./reflection.ts";

// gRPC health checking: https://github.com/grpc/grpc/blob/master/doc/health-checking.md

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

/** Beside the services, the types of error details, by which tools show the details of an error. */
function standardContract(): Contract {
  const file = [
    file_google_protobuf_any,
    file_google_protobuf_duration,
    file_google_rpc_status,
    file_google_rpc_error_details,
    file_grpc_health_v1_health,
    file_grpc_reflection_v1_reflection,
  ].map(({ proto }) => proto);
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

/**
 * The standard methods with their services. Reflection shows what the service can do, so it answers only callers whom the service's interceptors
 * accept. Health probes have no credentials. @param stopping aborted when the server is about to stop: clients that watch its health are notified.
 */
export function standardAnswers(service: Service, stopping: AbortSignal): readonly ServedMethod[] {
  const { contract } = service;
  const standard = standardContract();
  const health = serviceOf(standard, handlersOf(Health, healthMethods(contract, stopping)));
  const reflection = serviceOf(standard, handlersOf(ServerReflection, reflectionMethods([contract, standard])));
  const guarded = service.guard(reflection);
  return standard.operations.flatMap((operation) => {
    const answering = operation.method.parent.typeName === Health.typeName ? health : guarded;
    const path = methodPath(operation.method);
    const method = { path, operation, service: answering, maxRequestMs: endlessMs };
    return [method, { ...method, path: path.replace("/grpc.reflection.v1.", "/grpc.reflection.v1alpha.") }];
  });
}
