// Reads the rules of protoc-gen-validate (`validate.rules`) as rules of buf.validate, its successor, which kept the numbers of most of them:
// https://github.com/bufbuild/protoc-gen-validate/blob/main/validate/validate.proto
import type { Message } from "@bufbuild/protobuf";
import type { DescriptorProto, FileDescriptorSet } from "@bufbuild/protobuf/wkt";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** The options of protoc-gen-validate: rules of a field, `required` of a oneof, `disabled` and `ignored` of a message. */
const olderOption = 1071;
const ignoredOption = 1072;
const newerOption = 1159;

/** Members of `FieldRules` in protoc-gen-validate, by number. */
const older = { string: 14, bytes: 15, message: 17, repeated: 18, map: 19, any: 20, duration: 21, timestamp: 22 };

/** Members of `FieldRules` in buf.validate that are not the rules of one type. */
const newer = { required: 25, ignore: 27 };
const ignoreIfZero = 1;
const ignoreAlways = 3;

/** `ignore_empty` by the rules that have it. The rules of numbers have it as 8. */
const ignoreEmpty: Readonly<Record<number, number>> = {
  [older.string]: 26,
  [older.bytes]: 14,
  [older.repeated]: 5,
  [older.map]: 6,
};
const lastNumber = 12;
const ignoreEmptyNumber = 8;

/** Rules that contain rules: those of items, keys and values. */
const nested: Readonly<Record<number, readonly number[]>> = { [older.repeated]: [4], [older.map]: [4, 5] };

/** `required` inside the rules of these types; `no_sparse` of maps has no equal, and no message in JSON can break it. */
const requiredInside: ReadonlySet<number> = new Set([older.any, older.duration, older.timestamp]);
const noSparse = 3;

interface Part {
  readonly no: number;
  readonly wireType: WireType;
  /** With the tag. */
  readonly whole: Uint8Array;
  /** Without the tag. */
  readonly data: Uint8Array;
}

function* partsOf(bytes: Uint8Array): Iterable<Part> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [no, wireType] = reader.tag();
    const begin = reader.pos;
    reader.skip(wireType, no);
    yield { no, wireType, whole: bytes.subarray(from, reader.pos), data: bytes.subarray(begin, reader.pos) };
  }
}

function isTrue({ data }: Pick<Part, "data">): boolean {
  return new BinaryReader(data).bool();
}

function contentOf({ data }: Pick<Part, "data">): Uint8Array {
  return new BinaryReader(data).bytes();
}

/** What the rules of one type mean for the whole field. */
interface WholeField {
  isRequired: boolean;
  ignore: number;
}

function isIgnoreEmpty(type: number, { no }: Part): boolean {
  return no === (type <= lastNumber ? ignoreEmptyNumber : ignoreEmpty[type]);
}

/** The rules of one type; what belongs to the whole field is left out and noted. */
function typeRules(type: number, rules: Uint8Array, field: WholeField): Uint8Array {
  const writer = new BinaryWriter();
  for (const part of partsOf(rules)) {
    if (isIgnoreEmpty(type, part)) {
      if (isTrue(part)) field.ignore = ignoreIfZero;
    } else if (requiredInside.has(type) && part.no === 1) field.isRequired ||= isTrue(part);
    else if (nested[type]?.includes(part.no) === true)
      writer.tag(part.no, WireType.LengthDelimited).bytes(fieldRules(contentOf(part)));
    else if (type !== older.map || part.no !== noSparse) writer.raw(part.whole);
  }
  return writer.finish();
}

/** The rules of a field in the form of buf.validate. */
function fieldRules(rules: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  const field: WholeField = { isRequired: false, ignore: 0 };
  for (const part of partsOf(rules)) {
    const content = contentOf(part);
    if (part.no === older.message) {
      for (const inner of partsOf(content)) {
        if (inner.no === 1 && isTrue(inner)) field.ignore = ignoreAlways;
        if (inner.no === 2) field.isRequired ||= isTrue(inner);
      }
    } else writer.tag(part.no, WireType.LengthDelimited).bytes(typeRules(part.no, content, field));
  }
  if (field.isRequired) writer.tag(newer.required, WireType.Varint).bool(true);
  if (field.ignore > 0) writer.tag(newer.ignore, WireType.Varint).int32(field.ignore);
  return writer.finish();
}

const requiredOneof = new BinaryWriter().tag(1, WireType.Varint).bool(true).finish();

/** Adds the newer option beside the older one, unless both are there already. */
function addNewer(options: Message | undefined, rulesFrom: (part: Pick<Part, "data">) => Uint8Array | undefined): void {
  const unknown = options?.$unknown ?? [];
  const given = unknown.find(({ no }) => no === olderOption);
  if (options === undefined || given === undefined || unknown.some(({ no }) => no === newerOption)) return;
  const rules = rulesFrom(given);
  if (rules === undefined) return;
  const data = new BinaryWriter().bytes(rules).finish();
  options.$unknown = [...unknown, { no: newerOption, wireType: WireType.LengthDelimited, data }];
}

function readMessage({ options, field, oneofDecl, nestedType }: DescriptorProto): void {
  const isOff = options?.$unknown?.some((one) => (one.no === olderOption || one.no === ignoredOption) && isTrue(one));
  if (isOff !== true) {
    for (const one of field) addNewer(one.options, (part) => fieldRules(contentOf(part)));
    for (const one of oneofDecl) addNewer(one.options, (part) => (isTrue(part) ? requiredOneof : undefined));
  }
  for (const inner of nestedType) readMessage(inner);
}

/** The same set, changed in place: every rule of protoc-gen-validate is also a rule of buf.validate. */
export function withOlderRules(set: FileDescriptorSet): FileDescriptorSet {
  for (const { messageType } of set.file) for (const message of messageType) readMessage(message);
  return set;
}
