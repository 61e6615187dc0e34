// Comments and positions of a contract's elements in its source: as paths of `source_code_info`, and as file, line and column.
import {
  create,
  fromBinary,
  type DescEnum,
  type DescEnumValue,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  type DescService,
} from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { memoize } from "./components.ts";

const commentsIn = new WeakMap<DescFile, Uint8Array>();

/** Gives the files of a contract their comments, which are decoded when somebody reads them: most programs do not. */
export function keepComments(files: Iterable<DescFile>, comments: Comments): void {
  for (const file of files) {
    const bytes = comments.get(file.proto.name);
    if (bytes !== undefined) commentsIn.set(file, bytes);
  }
}

/** The file with its `source_code_info`, which the `proto` of a contract's file does not have. */
export function withSourceInfo(file: DescFile): FileDescriptorProto {
  const bytes = commentsIn.get(file);
  if (bytes === undefined) return file.proto;
  const { sourceCodeInfo } = fromBinary(FileDescriptorProtoSchema, bytes);
  return create(FileDescriptorProtoSchema, { ...file.proto, sourceCodeInfo });
}

/** Whether the image of a contract's file has its comments. */
export function hasSourceInfo(file: DescFile): boolean {
  return commentsIn.has(file) || file.proto.sourceCodeInfo !== undefined;
}

const commentsOf = memoize((file: DescFile): ReadonlyMap<string, string> => {
  const comments = new Map<string, string>();
  for (const { path, leadingComments } of withSourceInfo(file).sourceCodeInfo?.location ?? []) {
    if (leadingComments !== "") comments.set(path.join("."), leadingComments.replaceAll(/^ /gm, "").trim());
  }
  return comments;
});

/** The comment above an element, without comment marks; empty without one, or when the image was built without source info. */
export function commentAbove(desc: ContractElement): string {
  const comments = commentsOf(fileOf(desc));
  return comments.size === 0 ? "" : (comments.get(pathOf(desc).join(".")) ?? "");
}

/** An element that has a source position and can have a comment. */
export type ContractElement = DescMessage | DescField | DescOneof | DescEnum | DescEnumValue | DescService | DescMethod;

/** Whether the contract marks an element as deprecated, or the service that has it. */
export function isDeprecated(desc: ContractElement): boolean {
  if (desc.kind === "oneof") return false;
  return desc.deprecated || (desc.kind === "rpc" && desc.parent.deprecated);
}

// Field numbers in descriptor.proto, of which the paths of source_code_info consist.
const inFile = { message: 4, enum: 5, service: 6 } as const;
const inMessage = { field: 2, message: 3, enum: 4, oneof: 8 } as const;
const methodInService = 2;
const valueInEnum = 2;

/** The positions of the elements of a list: an enum can have fifty thousand values. */
const positionsIn = memoize((list: readonly object[]) => new Map(list.map((element, index) => [element, index])));

function positionIn<T extends object>(list: readonly T[], element: T): number {
  return positionsIn(list).get(element) ?? -1;
}

/** The path of an element in its file, as in `source_code_info`. */
function pathOf(desc: ContractElement): readonly number[] {
  switch (desc.kind) {
    case "rpc":
      return [...pathOf(desc.parent), methodInService, positionIn(desc.parent.methods, desc)];
    case "service":
      return [inFile.service, positionIn(desc.file.services, desc)];
    case "message":
      return desc.parent === undefined
        ? [inFile.message, positionIn(desc.file.messages, desc)]
        : [...pathOf(desc.parent), inMessage.message, positionIn(desc.parent.nestedMessages, desc)];
    case "enum":
      return desc.parent === undefined
        ? [inFile.enum, positionIn(desc.file.enums, desc)]
        : [...pathOf(desc.parent), inMessage.enum, positionIn(desc.parent.nestedEnums, desc)];
    case "enum_value":
      return [...pathOf(desc.parent), valueInEnum, positionIn(desc.parent.values, desc)];
    case "field":
      return [...pathOf(desc.parent), inMessage.field, positionIn(desc.parent.fields, desc)];
    case "oneof":
      return [...pathOf(desc.parent), inMessage.oneof, positionIn(desc.parent.proto.oneofDecl, desc.proto)];
  }
}

function fileOf(desc: ContractElement): DescFile {
  return desc.kind === "message" || desc.kind === "enum" || desc.kind === "service" ? desc.file : desc.parent.file;
}

function begins(whole: readonly number[], start: readonly number[]): boolean {
  return start.every((number, index) => whole[index] === number);
}

// The field number of `options` in descriptor.proto, for elements that can have rules.
const optionsIn = { message: 7, field: 8, oneof: 2 } as const;

/**
 * `file:line:column: ` of an option, or of its element if the option has no source info; empty without any. The file has its import path.
 * @param option the number of the extension.
 */
export function optionPosition(desc: DescMessage | DescField | DescOneof, option: number): string {
  const file = fileOf(desc);
  const path = pathOf(desc);
  const locations = withSourceInfo(file).sourceCodeInfo?.location ?? [];
  const found =
    locations.find((location) => begins(location.path, [...path, optionsIn[desc.kind], option])) ??
    locations.find((location) => location.path.length === path.length && begins(location.path, path));
  const [line, column] = found?.span ?? [];
  return line === undefined || column === undefined ? "" : `${file.proto.name}:${line + 1}:${column + 1}: `;
}

const fileNumber = FileDescriptorSetSchema.field.file.number;
const nameNumber = FileDescriptorProtoSchema.field.name.number;
const commentsNumber = FileDescriptorProtoSchema.field.sourceCodeInfo.number;

interface EncodedField {
  readonly number: number;
  /** With the tag. */
  readonly bytes: Uint8Array;
}

/** The fields of a serialised message, in order. */
function* fieldsOf(message: Uint8Array): Iterable<EncodedField> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [number, type] = reader.tag();
    reader.skip(type, number);
    yield { number, bytes: message.subarray(from, reader.pos) };
  }
}

function contentOf({ bytes }: EncodedField): Uint8Array {
  const reader = new BinaryReader(bytes);
  reader.tag();
  return reader.bytes();
}

const joined = (fields: readonly EncodedField[]): Uint8Array => Buffer.concat(fields.map(({ bytes }) => bytes));

/** Copies a serialised set with other fields in its files. */
function withFields(
  image: Uint8Array,
  change: (name: string, fields: readonly EncodedField[]) => Uint8Array,
): Uint8Array {
  const writer = new BinaryWriter();
  for (const field of fieldsOf(image)) {
    if (field.number !== fileNumber) {
      writer.raw(field.bytes);
      continue;
    }
    const fields = [...fieldsOf(contentOf(field))];
    const name = fields.find(({ number }) => number === nameNumber);
    const file = change(name === undefined ? "" : Buffer.from(contentOf(name)).toString(), fields);
    writer.tag(fileNumber, WireType.LengthDelimited).bytes(file);
  }
  return writer.finish();
}

/** The `source_code_info` of files by their names: each as a serialised file that has nothing else. */
export type Comments = ReadonlyMap<string, Uint8Array>;

/**
 * Copies a serialised `google.protobuf.FileDescriptorSet` without `source_code_info`, and what it had of it. Does not decode the files, because decoding
 * comments takes longer than all the rest. Throws an Error for other bytes.
 */
export function splitComments(image: Uint8Array): { readonly bare: Uint8Array; readonly comments: Comments } {
  const comments = new Map<string, Uint8Array>();
  const bare = withFields(image, (name, fields) => {
    const { comment = [], rest = [] } = Object.groupBy(fields, ({ number }) =>
      number === commentsNumber ? "comment" : "rest",
    );
    if (comment.length > 0) comments.set(name, joined(comment));
    return joined(rest);
  });
  return { bare, comments };
}

/** Copies a serialised set without `source_code_info`, as {@link splitComments}. */
export function withoutComments(image: Uint8Array): Uint8Array {
  return splitComments(image).bare;
}

/** Adds the comments of files that have these names. */
export function withComments(image: Uint8Array, comments: Comments): Uint8Array {
  return withFields(image, (name, fields) => Buffer.concat([joined(fields), comments.get(name) ?? new Uint8Array()]));
}
