// Loads a generated file as a contract, like any other: as a descriptor set with all its imports.
import { create, toBinary, type DescFile } from "@bufbuild/protobuf";
import {
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { file_google_api_annotations } from "@roundtrip/contract/gen/google/api/annotations_pb";

/** Orders files after their imports. */
function withImports(files: readonly DescFile[], seen = new Map<string, FileDescriptorProto>()) {
  for (const { proto, dependencies } of files) {
    if (seen.has(proto.name)) continue;
    withImports(dependencies, seen);
    seen.set(proto.name, proto);
  }
  return seen;
}

const imports = [
  ...withImports([
    file_google_api_annotations,
    file_google_protobuf_any,
    file_google_protobuf_duration,
    file_google_protobuf_empty,
    file_google_protobuf_field_mask,
    file_google_protobuf_struct,
    file_google_protobuf_timestamp,
    file_google_protobuf_wrappers,
  ]).values(),
];

/** The contract that a file declares. Throws an Error if it is invalid. */
export function contractOfFile(file: FileDescriptorProto): Contract {
  return contractFromImage(
    toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...imports, file] })),
  );
}
