// Who may read what a server can do: whom the service's interceptors let through. They are asked about the operation that gRPC has for
// it, whatever the style, so that a permission for descriptions is one permission. Loaded when somebody first asks for a description.
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

/** What stands behind the interceptors: nothing, for the style tells its description itself. */
const silent: Service = {
  contract,
  guard: (other) => other,
  call: ({ id }: Operation) => {
    throw new CallError("UNIMPLEMENTED", `nobody answers ${id} here`);
  },
  async *stream() {},
};

async function* nothing(): AsyncGenerator<Message> {}

/** Resolves for a caller who may read descriptions, and rejects with what the interceptors refuse others with. */
export async function checkMayDescribe(service: Service, call: ServerCall): Promise<void> {
  for await (const _ of service.guard(silent).stream(reflection, nothing(), call)) return;
}
