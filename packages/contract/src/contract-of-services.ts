// The contract of generated services: what is in the generated code needs no descriptor set beside it.
import { create, toBinary, type DescFile, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Contract } from "./contract.ts";
import { contractFromImage } from "./load-contract.ts";

/** Adds a file behind those that it imports. */
function gather(file: DescFile, into: Set<DescFile>): void {
  if (into.has(file)) return;
  for (const imported of file.dependencies) gather(imported, into);
  into.add(file);
}

/**
 * The contract that these services of generated code are: no other service is in it. Comments are not, which generated code keeps for its
 * readers alone. Throws an Error that says what is wrong with an annotation.
 */
export function contractOfServices(...services: readonly [DescService, ...DescService[]]): Contract {
  const files = new Set<DescFile>();
  for (const { file } of services) gather(file, files);
  const wanted = new Set(services.map(({ typeName }) => typeName));
  const protos = [...files].map(({ proto }) =>
    create(FileDescriptorProtoSchema, {
      ...proto,
      service: proto.service.filter(({ name }) => wanted.has(proto.package === "" ? name : `${proto.package}.${name}`)),
    }),
  );
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: protos })));
}
