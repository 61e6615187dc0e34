// Limits descriptions to callers that the service's interceptors accept. They see gRPC's operation for it in every style: one permission covers all.
import { create, toBinary, type Message } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { CallError, contractFromImage, type Operation, type ServerCall, type Service } from "@roundtrip/contract";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";

const contract = contractFromImage(
  toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, { file: [file_grpc_reflection_v1_reflection.proto] }),
  ),
);
const reflection = contract.operation(`${ServerReflection.typeName}.ServerReflectionInfo`);

/** A service behind the interceptors that does nothing, because the style itself sends the description. */
const silent: Service = {
  contract,
  guard: (other) => other,
  call: ({ id }: Operation) => {
    throw new CallError("UNIMPLEMENTED", `nobody answers ${id} here`);
  },
  async *stream() {},
};

async function* nothing(): AsyncGenerator<Message> {}

/** Resolves if the caller may read descriptions; otherwise rejects with the interceptors' error. */
export async function checkMayDescribe(service: Service, call: ServerCall): Promise<void> {
  for await (const _ of service.guard(silent).stream(reflection, nothing(), call)) return;
}
