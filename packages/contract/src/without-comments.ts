// A compiled contract without its comments and the places of its source: most of its bytes, and of no use to who makes calls.
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

const fileNumber = FileDescriptorSetSchema.field.file.number;
const commentsNumber = FileDescriptorProtoSchema.field.sourceCodeInfo.number;

/** The fields of a serialised message, one after the other, each with its tag. */
function* fieldsOf(message: Uint8Array): Iterable<{ readonly number: number; readonly bytes: Uint8Array }> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [number, type] = reader.tag();
    reader.skip(type, number);
    yield { number, bytes: message.subarray(from, reader.pos) };
  }
}

/** The value of a field that is a message. */
function messageIn(field: Uint8Array): Uint8Array {
  const reader = new BinaryReader(field);
  reader.tag();
  return reader.bytes();
}

/**
 * A serialised `google.protobuf.FileDescriptorSet` without `source_code_info`, copied and not decoded: decoding comments takes longer than all the
 * rest of a contract. Throws an Error for bytes that are none.
 */
export function withoutComments(image: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  for (const { number, bytes } of fieldsOf(image)) {
    if (number !== fileNumber) {
      writer.raw(bytes);
      continue;
    }
    const kept = [...fieldsOf(messageIn(bytes))].filter((field) => field.number !== commentsNumber);
    writer.tag(fileNumber, WireType.LengthDelimited).bytes(Buffer.concat(kept.map((field) => field.bytes)));
  }
  return writer.finish();
}
