// Selects the services of a compiled descriptor set that belong to the contract, without those of imported files.
import { clone, create } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
  type FileDescriptorSet,
} from "@bufbuild/protobuf/wkt";

/** `buf_extension` of a buf image, and its field `is_import`: https://github.com/bufbuild/buf/blob/main/proto/buf/alpha/image/v1/image.proto */
const bufExtension = 8042;
const isImport = 1;

/** True if buf marks the file as an import. */
function isMarkedImport({ $unknown: unknown = [] }: FileDescriptorProto): boolean {
  const field = unknown.find(({ no }) => no === bufExtension);
  if (field === undefined) return false;
  const reader = new BinaryReader(new BinaryReader(field.data).bytes());
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === isImport) return reader.bool();
    reader.skip(type, number);
  }
  return false;
}

/** The service that reads long-running operations, and what methods return that start one. */
const operationsService = "google.longrunning.Operations";
const operationType = ".google.longrunning.Operation";

/**
 * The set without the services of imported files.
 * @param own names of the files that are not imported; undefined if the set marks its imports.
 * @param kept full names of services to keep in any case. The service of long-running operations stays if a method of the contract starts one:
 * its callers read the operation there.
 */
export function withOwnServices(
  set: FileDescriptorSet,
  own: ReadonlySet<string> | undefined,
  kept: readonly string[],
): FileDescriptorSet {
  const isOwn = (one: FileDescriptorProto): boolean => (own === undefined ? !isMarkedImport(one) : own.has(one.name));
  const methods = set.file.filter(isOwn).flatMap(({ service }) => service.flatMap(({ method }) => method));
  const startsOperations = methods.some(({ outputType }) => outputType === operationType);
  const staying = new Set([...kept, ...(startsOperations ? [operationsService] : [])]);
  const file = set.file.map((one) => {
    if (isOwn(one) || one.service.length === 0) return one;
    const prefix = one.package === "" ? "" : `${one.package}.`;
    // Copies changed files only: large contracts have few of them.
    const changed = clone(FileDescriptorProtoSchema, one);
    changed.service = changed.service.filter(({ name }) => staying.has(`${prefix}${name}`));
    return changed;
  });
  return create(FileDescriptorSetSchema, { file });
}
