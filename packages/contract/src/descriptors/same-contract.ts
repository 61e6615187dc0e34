// Whether two contracts are equal: what is compiled counts, and comments, positions and the order of files do not.
import { create, toBinary, type DescFile } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Contract } from "./contract.ts";

function compiled({ proto }: DescFile): Uint8Array {
  return toBinary(
    FileDescriptorProtoSchema,
    create(FileDescriptorProtoSchema, { ...proto, sourceCodeInfo: undefined }),
  );
}

export function isSameContract({ registry }: Contract, next: Contract): boolean {
  const [files, nextFiles] = [[...registry.files], [...next.registry.files]];
  return (
    files.length === nextFiles.length &&
    files.every((file) => {
      const same = next.registry.getFile(file.proto.name);
      return same !== undefined && Buffer.compare(compiled(file), compiled(same)) === 0;
    })
  );
}
