// Fields of requests with a meaning for standard methods.
import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { invalid } from "./resource.ts";

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

/** Longer filters, orders, tokens and keys are invalid: they are read for each resource, and kept with it. */
export const maxPropertyCharacters = 4_096;

/** The text itself. Throws INVALID_ARGUMENT for one of more than {@link maxPropertyCharacters}. */
export function shortProperty(name: string, text: string): string {
  if (text.length > maxPropertyCharacters)
    throw invalid(name, `has more than ${maxPropertyCharacters} characters`, "string.max_len");
  return text;
}

export function textProperty(desc: DescMessage, names: readonly string[]): Read<string> | undefined {
  const field = scalarField(desc, names, [ScalarType.STRING]);
  if (field === undefined) return undefined;
  const read = property(field);
  return (request) => shortProperty(field.name, (read(request) as string | undefined) ?? "");
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

/** Whether a request asks only whether the method would succeed (AIP-163). */
export function trialProperty(desc: DescMessage): Read<boolean> {
  return flagProperty(desc, ["validate_only", "dry_run"]);
}

/** A mask of a request, with its field name. */
export interface MaskProperty {
  readonly name: string;
  readonly read: Read<FieldMask | undefined>;
  /** A shallow copy of a request. */
  readonly without: (request: Message) => Message;
}

export function maskProperty(desc: DescMessage, names: readonly string[]): MaskProperty | undefined {
  const field = names
    .map((name) => desc.fields.find((candidate) => candidate.name === name))
    .find((candidate) => candidate?.fieldKind === "message" && candidate.message.typeName === FieldMaskSchema.typeName);
  if (field === undefined) return undefined;
  const read = property(field);
  return {
    name: field.name,
    read: (request) => read(request) as FieldMask | undefined,
    without: (request) => Object.assign(create(desc), request, { [field.localName]: undefined }),
  };
}
