// Request fields in a URL: which are allowed, and their ProtoJSON spelling.
import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { maxNesting, type HttpBinding, type Operation } from "@roundtrip/contract";
import { notA } from "../../shared/proto-json/json-errors.ts";
import { integerIn } from "../../shared/proto-json/scalars.ts";

/** Messages whose ProtoJSON is a single string. */
export const textMessages = new Set([
  "google.protobuf.Timestamp",
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
]);
/** Messages whose ProtoJSON is not an object of their fields, so that they cannot be written by field. */
export const opaqueMessages = new Set([
  "google.protobuf.Any",
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
]);

/** `text`: one value. `texts`: several. `nested`: a message with subfields. `none`: not allowed in a URL. */
export type UrlKind = "text" | "texts" | "nested" | "none";

function kindOfMessage(message: DescMessage): "text" | "nested" | "none" {
  if (textMessages.has(message.typeName) || isWrapperDesc(message)) return "text";
  return opaqueMessages.has(message.typeName) ? "none" : "nested";
}

/** The form of a field in a URL. Lists of messages and maps have none (google/api/http.proto). */
export function urlKindOf(field: DescField): UrlKind {
  switch (field.fieldKind) {
    case "scalar":
    case "enum":
      return "text";
    case "message":
      return kindOfMessage(field.message);
    case "list":
      if (field.listKind !== "message") return "texts";
      return kindOfMessage(field.message) === "text" ? "texts" : "none";
    case "map":
      return "none";
  }
}

/** Whether the text of a value, or of an item of a list, may have commas. */
export function mayHaveCommas({ scalar, message }: DescField): boolean {
  if (message === undefined) return scalar === ScalarType.STRING;
  if (isWrapperDesc(message)) return message.fields[0]?.scalar === ScalarType.STRING;
  return message.typeName === "google.protobuf.FieldMask";
}

/** Converts URL text to ProtoJSON; undefined if it is invalid for the field's type. The reader of ProtoJSON checks the rest. */
export type JsonOfText = (text: string) => JsonValue | undefined;

/** ProtoJSON has text for most types. Exceptions are booleans, and the numbers of enums. */
export function jsonOfText(field: DescField): JsonOfText {
  // A wrapper has the spelling of its value.
  const inner = field.message !== undefined && isWrapperDesc(field.message) ? field.message.fields[0] : field;
  if (inner?.enum !== undefined) {
    const { name, values } = inner.enum;
    const names = new Set(values.map((value) => value.name));
    return (text) => {
      if (names.has(text)) return text;
      const digits = integerIn(text);
      if (digits === undefined) throw notA(`a value of ${name}`, text, () => [...names]);
      return Number(digits);
    };
  }
  if (inner?.scalar === ScalarType.BOOL) {
    return (text) => (text === "true" ? true : text === "false" ? false : undefined);
  }
  return (text) => text;
}

/** The nested fields on a path of contract or ProtoJSON names; undefined if one is unknown. */
export function fieldsAlong(message: DescMessage, names: readonly string[]): readonly DescField[] | undefined {
  const fields: DescField[] = [];
  let at: DescMessage | undefined = message;
  for (const name of names) {
    const field: DescField | undefined = at?.fields.find(
      (candidate) => candidate.name === name || candidate.jsonName === name,
    );
    if (field === undefined) return undefined;
    fields.push(field);
    at = urlKindOf(field) === "nested" ? field.message : undefined;
  }
  return fields;
}

/** The path of nested fields in contract names: `customer.phone_number`. */
export function dotted(fields: readonly DescField[]): string {
  return fields.map((field) => field.name).join(".");
}

/** The path of nested fields in JSON names: `customer.phoneNumber`. */
export function jsonPath(fields: readonly DescField[]): string {
  return fields.map((field) => field.jsonName).join(".");
}

/** The most fields of a query that documents list; servers read all. A few messages that contain each other have millions of paths. */
export const maxListedQueryFields = 1_000;

interface ListedFields {
  /** Each with the fields that lead to it. */
  readonly paths: readonly (readonly [DescField, ...DescField[]])[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/**
 * Lists the fields inside these fields of a query: those of a nested message in its place, except inside itself.
 * @param around messages that the fields are in.
 */
export function listedQueryFields(fields: readonly DescField[], around: readonly DescMessage[]): ListedFields {
  const paths: [DescField, ...DescField[]][] = [];
  let visited = 0;
  let isCut = false;
  const visit = (inner: readonly DescField[], above: readonly DescField[], seen: ReadonlySet<DescMessage>): void => {
    for (const field of inner) {
      isCut ||= visited === maxListedQueryFields;
      if (isCut) return;
      visited += 1;
      const { message } = field;
      if (urlKindOf(field) !== "nested" || message === undefined) paths.push([...above, field] as [DescField]);
      else if (!seen.has(message) && above.length < maxNesting)
        visit(message.fields, [...above, field], new Set([...seen, message]));
    }
  };
  visit(fields, [], new Set(around));
  return { paths, isCut };
}

/** The fields of a request that neither its path nor its body has. */
export function queryFields({ input }: Operation, { body, path }: HttpBinding): readonly DescField[] {
  if (body === "*") return [];
  const inPath = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  return input.fields.filter((field) => field.name !== body && !inPath.has(field.name));
}
