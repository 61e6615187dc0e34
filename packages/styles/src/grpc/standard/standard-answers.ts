// Health checking and server reflection, answered by the same interpreter as the contract, of which they are no part.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { contractFromImage, endlessMs, handlersOf, type Contract, type Service } from "@roundtrip/contract";
import { file_grpc_health_v1_health, Health } from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import type { ServedMethod } from "../server/answered-call.ts";
import { pathOf } from "../wire-form.ts";
import { healthMethods } from "./health.ts";
import { reflectionMethods } from "./reflection.ts";

function standardContract(): Contract {
  const file = [file_grpc_health_v1_health.proto, file_grpc_reflection_v1_reflection.proto];
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

/**
 * The standard methods with the services that answer them. Reflection shows what the service can do, and so it answers only callers whom
 * the service's interceptors let through; probes that ask for health have no credentials.
 * @param stopping aborted when the server is about to stop: clients that watch its health are notified.
 */
export function standardAnswers(service: Service, stopping: AbortSignal): readonly ServedMethod[] {
  const { contract } = service;
  const standard = standardContract();
  const health = serviceOf(standard, handlersOf(Health, healthMethods(contract, stopping)));
  const reflection = serviceOf(standard, handlersOf(ServerReflection, reflectionMethods([contract, standard])));
  const guarded = service.guard(reflection);
  return standard.operations.flatMap((operation) => {
    const answering = operation.method.parent.typeName === Health.typeName ? health : guarded;
    const path = pathOf(operation);
    const method = { path, operation, service: answering, maxRequestMs: endlessMs };
    return [method, { ...method, path: path.replace("/grpc.reflection.v1.", "/grpc.reflection.v1alpha.") }];
  });
}
