// What a message in protobuf's binary form takes when it is decoded, found without decoding it. Two bytes on the wire can become an object of hundreds of
// bytes, so that a limit of bytes alone does not limit memory or time.
import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { memoize, typesIn } from "../descriptors/components.ts";

/** What a request may take when it is decoded, in bytes. Decoding that much takes about as long as others may have to wait. */
export const maxDecodedBytes = 24 * 1024 * 1024;

/** Smaller requests are not counted, unless a type of theirs is very large. */
const countedFromBytes = 64 * 1024;

// The memory of values, in bytes. Where a value costs more time than memory, it counts as the memory that takes this time.

const numberBytes = 8;
const bigintBytes = 48;
/** A value with a tag of its own. */
const taggedBytes = 16;
const textBytes = 48;
/** Values of the type `bytes` are views. */
const viewBytes = 128;
const entryBytes = 384;
/** An unknown field is a view too, even if it is not kept. */
const skippedBytes = 128;
const objectBytes = 64;
const listBytes = 32;
const mapBytes = 56;
const oneofBytes = 48;

type Wire = "varint" | "fixed32" | "fixed64" | "text" | "message" | "group";

interface FieldSize {
  readonly wire: Wire;
  /** What each value adds, without its own fields and without the length of a text. */
  readonly bytes: number;
  /** Whether a list of it can be one block of values. */
  readonly isPackable: boolean;
  /** Whether its length counts beside {@link bytes}. */
  readonly isText: boolean;
  /** The message that it is; undefined for others, and for entries of maps. */
  readonly message: DescMessage | undefined;
  /** What a message, or an entry of a map, consists of. That of a message is found when one comes: types can contain each other. */
  type: TypeSize | undefined;
  /** Whether all its values are converted again for each occurrence: a singular google.protobuf.Struct. */
  readonly isConverted: boolean;
}

interface TypeSize {
  /** What a message without values takes. */
  readonly bytes: number;
  /** By their numbers. */
  readonly fields: ReadonlyMap<number, FieldSize>;
}

const fixed32: ReadonlySet<ScalarType> = new Set([ScalarType.FIXED32, ScalarType.SFIXED32, ScalarType.FLOAT]);
const fixed64: ReadonlySet<ScalarType> = new Set([ScalarType.FIXED64, ScalarType.SFIXED64, ScalarType.DOUBLE]);
/** Integers of 64 bits, which are bigints as values and texts in JSON. */
export const largeIntegers: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function numberWire(scalar: ScalarType | undefined): Wire {
  if (scalar === undefined) return "varint";
  return fixed32.has(scalar) ? "fixed32" : fixed64.has(scalar) ? "fixed64" : "varint";
}

/** @param scalar undefined for an enum */
function scalarSize(scalar: ScalarType | undefined, more: number): FieldSize {
  const plain = { isText: false, isPackable: true, message: undefined, type: undefined, isConverted: false };
  if (scalar === ScalarType.STRING)
    return { ...plain, wire: "text", isText: true, isPackable: false, bytes: textBytes + more };
  if (scalar === ScalarType.BYTES) return { ...plain, wire: "text", isPackable: false, bytes: viewBytes + more };
  const isBigint = scalar !== undefined && largeIntegers.has(scalar);
  return { ...plain, wire: numberWire(scalar), bytes: (isBigint ? bigintBytes : numberBytes) + more };
}

/** @param more what it adds beside a message of its type */
function messageSize(message: DescMessage, more: number, isGroup = false): FieldSize {
  const shape = { isPackable: false, isText: false, isConverted: false };
  return { ...shape, wire: isGroup ? "group" : "message", bytes: more, message, type: undefined };
}

function mapSize(field: DescField & { readonly fieldKind: "map" }): FieldSize {
  const value = field.message === undefined ? scalarSize(field.scalar, 0) : messageSize(field.message, 0);
  const fields = new Map([
    [1, scalarSize(field.mapKey, 0)],
    [2, value],
  ]);
  const shape = { isPackable: false, isText: false, isConverted: false };
  // Without a value, it gets an empty message.
  const bytes = entryBytes + (field.message === undefined ? 0 : emptyBytes(field.message));
  return { ...shape, wire: "message", bytes: 0, message: undefined, type: { bytes, fields } };
}

/** Values of a closed enum are looked for in the list of its values. */
function lookupBytes({ fieldKind, enum: of }: DescField): number {
  return fieldKind === "enum" && of !== undefined && !of.open ? of.values.length : 0;
}

function fieldSize(field: DescField): FieldSize {
  const more = field.oneof === undefined ? 0 : oneofBytes;
  if (field.fieldKind === "map") return mapSize(field);
  if (field.message === undefined) return scalarSize(field.scalar, more + lookupBytes(field));
  const isGroup = (field.fieldKind === "message" || field.fieldKind === "list") && field.delimitedEncoding;
  const isConverted =
    field.fieldKind === "message" &&
    field.message.typeName === "google.protobuf.Struct" &&
    field.parent.typeName !== "google.protobuf.Value";
  return { ...messageSize(field.message, more + numberBytes, isGroup), isConverted };
}

function emptyBytes({ members }: DescMessage): number {
  let bytes = objectBytes;
  for (const member of members) {
    bytes += numberBytes;
    if (member.kind === "oneof") bytes += oneofBytes;
    else if (member.fieldKind === "list") bytes += listBytes;
    else if (member.fieldKind === "map") bytes += mapBytes;
  }
  return bytes;
}

const typeSize = memoize((message: DescMessage): TypeSize => {
  const fields = new Map(message.fields.map((field) => [field.number, fieldSize(field)]));
  return { bytes: emptyBytes(message), fields };
});

/** Undefined for a field that is no message. */
function typeOf(field: FieldSize): TypeSize | undefined {
  if (field.type === undefined && field.message !== undefined) field.type = typeSize(field.message);
  return field.type;
}

// Reads the wire format (https://protobuf.dev/programming-guides/encoding/) as protobuf-es does, without making anything of it.

/** Types of values on the wire. */
const wire = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** The library reads 100 messages inside each other, and entries of maps between them. */
const mostLevels = 256;

class WireReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(): number {
    const bytes = this.#bytes;
    const first = bytes[this.at++] as number;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let factor = 0x80; factor <= 0x80 ** 9; factor *= 0x80) {
      const byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    return value;
  }

  varintsIn(length: number): number {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.at + length);
    let count = 0;
    for (let at = this.at; at < end; at += 1) if ((bytes[at] as number) < 0x80) count += 1;
    return count;
  }

  skip(type: number): void {
    if (type === wire.varint) this.varint();
    else if (type === wire.fixed64) this.at += 8;
    else if (type === wire.fixed32) this.at += 4;
    else {
      const length = this.varint();
      this.at += length;
    }
  }
}

/** What encloses the bytes that are read, by depth: their types, undefined in an unknown group, and their ends, Infinity in a group. */
const typesAround = Array.from<TypeSize | undefined>({ length: mostLevels });
const endsAround = new Float64Array(mostLevels);

function packedBytes(reader: WireReader, { wire: of, bytes }: FieldSize): number {
  const length = reader.varint();
  const count = of === "fixed64" ? length / 8 : of === "fixed32" ? length / 4 : reader.varintsIn(length);
  reader.at += length;
  return count * bytes;
}

/** The bytes of a message when it is decoded, or a number above `most`. Stops where a decoder would fail. */
function decodedBytes(message: TypeSize, bytes: Uint8Array, most: number): number {
  const reader = new WireReader(bytes);
  let depth = 0;
  let type: TypeSize | undefined = message;
  let end = bytes.length;
  let total = type.bytes;
  /** Of all messages so far: those in structs may be converted again. */
  let converted = 0;
  while (total <= most) {
    while (reader.at >= end) {
      if (depth === 0) return total;
      depth -= 1;
      type = typesAround[depth];
      end = endsAround[depth] as number;
    }
    if (reader.at >= bytes.length) return total;
    const tag = reader.varint();
    const wireType = tag & 7;
    const field: FieldSize | undefined = type?.fields.get(tag >>> 3);
    const inner = field === undefined ? undefined : typeOf(field);
    if (wireType === wire.endGroup) {
      if (end !== Infinity) return total;
      // The end of this group has come.
      end = 0;
    } else if (inner !== undefined || (field === undefined && wireType === wire.startGroup)) {
      if (depth === mostLevels) return total;
      typesAround[depth] = type;
      endsAround[depth] = end;
      depth += 1;
      type = inner;
      const isGroup = field === undefined || field.wire === "group";
      end = isGroup ? Infinity : reader.varint() + reader.at;
      const added = inner === undefined || field === undefined ? skippedBytes : field.bytes + inner.bytes;
      total += added;
      converted += added;
      if (field?.isConverted === true) total += converted;
    } else if (field === undefined) {
      total += skippedBytes;
      reader.skip(wireType);
    } else if (field.isPackable && wireType === wire.delimited) total += packedBytes(reader, field);
    else if (field.wire === "text") {
      const length = reader.varint();
      reader.at += length;
      total += field.bytes + (field.isText ? length : 0);
    } else {
      total += field.bytes + taggedBytes;
      reader.skip(field.wire === "varint" ? wire.varint : field.wire === "fixed32" ? wire.fixed32 : wire.fixed64);
    }
  }
  return total;
}

/** A message with nothing in it: a tag and a length. */
const leastWireBytes = 2;

/** Returns whether an encoded message of this type takes more than {@link maxDecodedBytes} when it is decoded. */
export const isTooLargeDecoded = memoize((message: DescMessage): ((bytes: Uint8Array) => boolean) => {
  const type = typeSize(message);
  const mostAtOnce = [...typesIn([message])].reduce((most, inner) => Math.max(most, emptyBytes(inner)), skippedBytes);
  const countedFrom = Math.min(countedFromBytes, (maxDecodedBytes / mostAtOnce) * leastWireBytes);
  return (bytes) => bytes.length >= countedFrom && decodedBytes(type, bytes, maxDecodedBytes) > maxDecodedBytes;
});
