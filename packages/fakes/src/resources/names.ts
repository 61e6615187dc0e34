// Finds resources in the names of methods, types and fields, and fields with a meaning for standard methods.
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { snakeCase } from "../basics/names.ts";

/** Whether a text is the plural of a noun, or the noun itself. A heuristic: English plurals are irregular. */
export function isPluralOf(plural: string, singular: string): boolean {
  const stem = singular.replace(/(?:y|is|us|f|fe|e)?$/, "");
  return (
    plural === singular ||
    (plural.startsWith(stem) && /^(?:ies|es|s|ves|i|ren|oes)$/.test(plural.slice(stem.length))) ||
    plural === `${singular}s`
  );
}

/** Likely names of key fields, the likeliest first. */
export function keyNames(singular: string): readonly string[] {
  return [
    "name",
    "id",
    `${singular}_id`,
    `${singular}_name`,
    "uid",
    "uuid",
    `${singular}_uuid`,
    "key",
    "slug",
    "number",
    "code",
  ];
}

/** Other names of the same part of a key: `id` in a book is `book_id` elsewhere. */
export function aliasesOf(name: string, singular: string): readonly string[] {
  const groups = [
    ["id", `${singular}_id`, singular],
    ["name", `${singular}_name`, singular],
    ["uuid", `${singular}_uuid`],
  ];
  return groups
    .filter((group) => group.includes(name))
    .flat()
    .filter((alias) => alias !== name);
}

const keyTypes = new Set([
  ScalarType.STRING,
  ScalarType.INT32,
  ScalarType.INT64,
  ScalarType.UINT32,
  ScalarType.UINT64,
  ScalarType.SINT32,
  ScalarType.SINT64,
  ScalarType.FIXED32,
  ScalarType.FIXED64,
  ScalarType.SFIXED32,
  ScalarType.SFIXED64,
]);

/** Whether a field can be a part of a key. */
export function isKeyField(field: DescField): field is DescField & { fieldKind: "scalar" } {
  return field.fieldKind === "scalar" && keyTypes.has(field.scalar) && field.oneof === undefined;
}

/** The only field of a message that contains a message, or a list of messages. */
export function soleMessageField({ fields }: DescMessage, kind: "message" | "list"): DescField | undefined {
  const found = fields.filter(
    (field) =>
      field.fieldKind === kind && field.message !== undefined && !field.message.typeName.startsWith("google.protobuf."),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** A type's name in snake_case. */
export function nameOf({ name }: DescMessage): string {
  return snakeCase(name);
}

/** Reads a field; a missing value is the default. */
type Read<T> = (request: Message) => T;

function property(field: DescField): Read<unknown> {
  const { localName } = field;
  return (request) => (request as unknown as Readonly<Record<string, unknown>>)[localName];
}

/** The first field with one of these names and a type of these. */
export function scalarField(
  { fields }: DescMessage,
  names: readonly string[],
  types: readonly ScalarType[],
): DescField | undefined {
  return names
    .map((name) => fields.find((field) => field.name === name))
    .find((field) => field?.fieldKind === "scalar" && types.includes(field.scalar));
}

const integers = [ScalarType.INT32, ScalarType.INT64, ScalarType.UINT32, ScalarType.UINT64];

export function textProperty(desc: DescMessage, names: readonly string[]): Read<string> | undefined {
  const field = scalarField(desc, names, [ScalarType.STRING]);
  if (field === undefined) return undefined;
  const read = property(field);
  return (request) => (read(request) as string | undefined) ?? "";
}

export function integerProperty(desc: DescMessage, names: readonly string[]): Read<number> | undefined {
  const field = scalarField(desc, names, integers);
  if (field === undefined) return undefined;
  const read = property(field);
  return (request) => Number((read(request) as number | bigint | string | undefined) ?? 0);
}

export function flagProperty(desc: DescMessage, names: readonly string[]): Read<boolean> {
  const field = scalarField(desc, names, [ScalarType.BOOL]);
  if (field === undefined) return () => false;
  const read = property(field);
  return (request) => read(request) === true;
}

/** A mask of a request, with its field name. */
export interface MaskProperty {
  readonly name: string;
  readonly read: Read<FieldMask | undefined>;
}

export function maskProperty({ fields }: DescMessage, names: readonly string[]): MaskProperty | undefined {
  const field = names
    .map((name) => fields.find((candidate) => candidate.name === name))
    .find((candidate) => candidate?.fieldKind === "message" && candidate.message.typeName === FieldMaskSchema.typeName);
  if (field === undefined) return undefined;
  const read = property(field);
  return { name: field.name, read: (request) => read(request) as FieldMask | undefined };
}
