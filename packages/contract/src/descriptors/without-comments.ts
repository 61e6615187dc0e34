// Removes comments and source positions from a compiled contract: they are most of its bytes, and callers do not need them.
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

const fileNumber = FileDescriptorSetSchema.field.file.number;
const commentsNumber = FileDescriptorProtoSchema.field.sourceCodeInfo.number;

/** The fields of a serialised message, in order, each with its tag. */
function* fieldsOf(message: Uint8Array): Iterable<{ readonly number: number; readonly bytes: Uint8Array }> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [number, type] = reader.tag();
    reader.skip(type, number);
    yield { number, bytes: message.subarray(from, reader.pos) };
  }
}

function messageIn(field: Uint8Array): Uint8Array {
  const reader = new BinaryReader(field);
  reader.tag();
  return reader.bytes();
}

/**
 * Copies a serialised `google.protobuf.FileDescriptorSet` without `source_code_info`. It does not decode the files, because decoding comments
 * takes longer than all the rest. Throws an Error for other bytes.
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
