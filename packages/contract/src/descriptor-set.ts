// Reads compiled descriptor sets, binary or in ProtoJSON, with what their options say.
import { createFileRegistry, fromBinary, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";

const openingBrace = 0x7b;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** The tag of a set's first file, which as text is an end of line. */
const fileTag = 0x0a;

function isJson(bytes: Uint8Array): boolean {
  return bytes[0] !== fileTag && bytes.find((byte) => !spaces.has(byte)) === openingBrace;
}

/** What is no field of a descriptor, such as buf's own remarks on files, is left out. */
const leniently = { ignoreUnknownFields: true };

function fromText(text: string): FileDescriptorSet {
  const json = JSON.parse(text) as JsonValue;
  // Options are written by the names of their extensions, which the set itself declares.
  const bare = fromJson(FileDescriptorSetSchema, json, leniently);
  return fromJson(FileDescriptorSetSchema, json, { ...leniently, registry: createFileRegistry(bare) });
}

/** A `google.protobuf.FileDescriptorSet`, or buf's image, which is one with remarks. Throws an Error for bytes that are neither. */
export function descriptorSetFrom(bytes: Uint8Array): FileDescriptorSet {
  return isJson(bytes) ? fromText(new TextDecoder().decode(bytes)) : fromBinary(FileDescriptorSetSchema, bytes);
}
