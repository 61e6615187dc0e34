// Reads compiled descriptor sets, in binary or ProtoJSON, including their custom options.
import { createFileRegistry, fromBinary, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { afterMark, textFrom } from "../basics/read-text.ts";
import { FileDescriptorSetSchema, type FileDescriptorSet } from "@bufbuild/protobuf/wkt";

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

/** Reads a `google.protobuf.FileDescriptorSet` or a buf image. Throws an Error for other bytes. */
export function descriptorSetFrom(bytes: Uint8Array): FileDescriptorSet {
  return isJson(afterMark(bytes)) ? fromText(textFrom(bytes)) : fromBinary(FileDescriptorSetSchema, bytes);
}
