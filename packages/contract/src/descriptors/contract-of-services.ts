// The contract of generated services, made from the descriptors in the generated code.
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
 * A contract of exactly these generated services. It has no comments, because generated descriptors have none. Throws an Error for an
 * invalid annotation.
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
