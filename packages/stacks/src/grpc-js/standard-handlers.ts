// Health checking and server reflection, answered by the same interpreter as the contract, of which they are no part.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { UntypedHandleCall } from "@grpc/grpc-js";
import { contractFromImage, handlersOf, type Contract } from "@roundtrip/contract";
import { file_grpc_health_v1_health, Health } from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { handlerOf } from "./handler-of.ts";
import { healthMethods } from "./health.ts";
import { pathOf } from "./method-definition.ts";
import { reflectionMethods } from "./reflection.ts";

function standardContract(): Contract {
  const file = [file_grpc_health_v1_health.proto, file_grpc_reflection_v1_reflection.proto];
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

/** Handlers by path. */
export function standardHandlers(contract: Contract, stopping: AbortSignal): ReadonlyMap<string, UntypedHandleCall> {
  const standard = standardContract();
  const service = serviceOf(
    standard,
    new Map([
      ...handlersOf(Health, healthMethods(contract, stopping)),
      ...handlersOf(ServerReflection, reflectionMethods([contract, standard])),
    ]),
  );
  return new Map(
    standard.operations.flatMap((operation) => {
      const handler = handlerOf(service, operation);
      const path = pathOf(operation);
      return [
        [path, handler],
        [path.replace("/grpc.reflection.v1.", "/grpc.reflection.v1alpha."), handler],
      ];
    }),
  );
}
