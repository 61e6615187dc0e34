// Health checking and server reflection, answered by the same interpreter as the contract, of which they are no part.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { UntypedHandleCall } from "@grpc/grpc-js";
import { contractFromImage, endlessMs, handlersOf, type Contract, type Service } from "@roundtrip/contract";
import { file_grpc_health_v1_health, Health } from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { handlerOf } from "../calls/handler-of.ts";
import { healthMethods } from "./health.ts";
import { pathOf } from "../calls/method-definition.ts";
import { reflectionMethods } from "./reflection.ts";

function standardContract(): Contract {
  const file = [file_grpc_health_v1_health.proto, file_grpc_reflection_v1_reflection.proto];
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

/**
 * Handlers by path. Reflection tells what the service can do, and so it is told only to whom the service's interceptors let through;
 * probes that ask for health have no credentials.
 */
export function standardHandlers(service: Service, stopping: AbortSignal): ReadonlyMap<string, UntypedHandleCall> {
  const { contract } = service;
  const standard = standardContract();
  const health = serviceOf(standard, handlersOf(Health, healthMethods(contract, stopping)));
  const reflection = serviceOf(standard, handlersOf(ServerReflection, reflectionMethods([contract, standard])));
  const guarded = service.guard(reflection);
  return new Map(
    standard.operations.flatMap((operation) => {
      const answering = operation.method.parent.typeName === Health.typeName ? health : guarded;
      const handler = handlerOf(answering, operation, endlessMs);
      const path = pathOf(operation);
      return [
        [path, handler],
        [path.replace("/grpc.reflection.v1.", "/grpc.reflection.v1alpha."), handler],
      ];
    }),
  );
}
