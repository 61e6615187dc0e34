// Reads contracts that are not built in. A separate entry, `@roundtrip/contract/foreign`, because a measured process does not need it.
import { afterMark, textFrom } from "../basics/text.ts";
import { clone, create, createFileRegistry, fromBinary, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
  type FileDescriptorSet,
} from "@bufbuild/protobuf/wkt";
import { type Comments, splitComments } from "./source-info.ts";

export { nestingFault } from "./components.ts";
export { withComments } from "./source-info.ts";
export { isServiceConfig, serviceConfigFrom, withHttpRules, type ServiceConfig } from "./service-config.ts";

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
  const isOwn = (proto: FileDescriptorProto): boolean =>
    own === undefined ? !isMarkedImport(proto) : own.has(proto.name);
  const methods = set.file.filter(isOwn).flatMap(({ service }) => service.flatMap(({ method }) => method));
  const startsOperations = methods.some(({ outputType }) => outputType === operationType);
  const staying = new Set([...kept, ...(startsOperations ? [operationsService] : [])]);
  const file = set.file.map((proto) => {
    if (isOwn(proto) || proto.service.length === 0) return proto;
    const prefix = proto.package === "" ? "" : `${proto.package}.`;
    // Copies changed files only: large contracts have few of them.
    const changed = clone(FileDescriptorProtoSchema, proto);
    changed.service = changed.service.filter(({ name }) => staying.has(`${prefix}${name}`));
    return changed;
  });
  return create(FileDescriptorSetSchema, { file });
}

const openingBrace = 0x7b;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** The tag of a set's first file. Read as text, it is a line feed. */
const fileTag = 0x0a;

function isJson(bytes: Uint8Array): boolean {
  return bytes[0] !== fileTag && bytes.find((byte) => !spaces.has(byte)) === openingBrace;
}

/** Unknown fields, such as buf's extensions of file descriptors, are ignored. */
const leniently = { ignoreUnknownFields: true };

function fromText(text: string): FileDescriptorSet {
  const json = JSON.parse(text) as JsonValue;
  // ProtoJSON names options by their extensions, which the set itself declares.
  const bare = fromJson(FileDescriptorSetSchema, json, leniently);
  return fromJson(FileDescriptorSetSchema, json, { ...leniently, registry: createFileRegistry(bare) });
}

/** A descriptor set; the comments that were beside it are not in it. */
export interface ReadSet {
  readonly set: FileDescriptorSet;
  readonly comments: Comments;
}

/** Reads a `google.protobuf.FileDescriptorSet` or a buf image. Throws an Error for other bytes. */
export function descriptorSetFrom(bytes: Uint8Array): ReadSet {
  if (isJson(afterMark(bytes))) return { set: fromText(textFrom(bytes)), comments: new Map() };
  const { bare, comments } = splitComments(bytes);
  return { set: fromBinary(FileDescriptorSetSchema, bare), comments };
}
