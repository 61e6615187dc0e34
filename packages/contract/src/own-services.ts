// Which services of a compiled descriptor set are the contract's: not those of files that were merely imported.
import { clone, create } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
  type FileDescriptorSet,
} from "@bufbuild/protobuf/wkt";

/** `buf_extension` of buf's image, and in it `is_import`: https://github.com/bufbuild/buf/blob/main/proto/buf/alpha/image/v1/image.proto */
const bufExtension = 8042;
const isImport = 1;

/** True where buf has written down that the file is in the image because others import it. */
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

/**
 * The set without the services of imported files.
 * @param own names of the files that are not imported; undefined where the set tells.
 * @param kept full names of services that are wanted wherever they are.
 */
export function withOwnServices(
  set: FileDescriptorSet,
  own: ReadonlySet<string> | undefined,
  kept: readonly string[],
): FileDescriptorSet {
  const file = set.file.map((one) => {
    const isOwn = own === undefined ? !isMarkedImport(one) : own.has(one.name);
    if (isOwn || one.service.length === 0) return one;
    const prefix = one.package === "" ? "" : `${one.package}.`;
    // Large contracts have few of these: what is not changed is not copied.
    const changed = clone(FileDescriptorProtoSchema, one);
    changed.service = changed.service.filter(({ name }) => kept.includes(`${prefix}${name}`));
    return changed;
  });
  return create(FileDescriptorSetSchema, { file });
}
