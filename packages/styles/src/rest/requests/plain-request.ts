// The fast request reader: converts integers, text and field masks of URLs directly. All other and all invalid requests go to the general reader.
import { create, fromJson, ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import { fieldsAlong } from "./url-field.ts";

/** The request; undefined if the general reader must read it. */
export type ReadPlainRequest = (segments: readonly string[], query: string) => Message | undefined;

/** The value of URL text; undefined if the general reader must read it. */
type ValueOf = (text: string) => unknown;

const canonicalInt = /^(?:0|-?[1-9]\d{0,9})$/;

/** The maximum number of cached masks, because callers choose them. */
const maxMasks = 1_000;

function int32Of(text: string): number | undefined {
  if (!canonicalInt.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value : undefined;
}

/** Undefined for invalid percent-encoding. */
function decoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined for what dialects read differently, too. */
function queryText(text: string): string | undefined {
  if (text.includes(";")) return undefined;
  return decoded(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Caches the paths of each text, because callers repeat a few masks. */
function maskReader(): ValueOf {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    let paths = known.get(text);
    if (paths === undefined) {
      const plain = queryText(text);
      if (plain === undefined) return undefined;
      try {
        ({ paths } = fromJson(FieldMaskSchema, plain));
      } catch {
        return undefined;
      }
      if (known.size < maxMasks) known.set(text, paths);
    }
    return create(FieldMaskSchema, { paths: [...paths] });
  };
}

/** The reader of a path or query field; undefined if the general reader must read it. */
function valueReader(field: DescField, text: (raw: string) => string | undefined): ValueOf | undefined {
  if (field.oneof !== undefined) return undefined;
  if (field.fieldKind === "message") {
    return field.message.typeName === FieldMaskSchema.typeName ? maskReader() : undefined;
  }
  if (field.fieldKind !== "scalar" || field.presence !== Presence.IMPLICIT) return undefined;
  if (field.scalar === ScalarType.STRING) return text;
  return field.scalar === ScalarType.INT32 ? int32Of : undefined;
}

interface PathField {
  readonly segment: number;
  readonly localName: string;
  readonly valueOf: ValueOf;
}

interface QueryField {
  /** Marks the field as read: the general reader must read repeated fields. */
  readonly bit: number;
  readonly localName: string;
  readonly valueOf: ValueOf;
}

/** Undefined if the general reader must read a path variable. */
function pathFieldsOf({ input }: Operation, { path }: HttpBinding): readonly PathField[] | undefined {
  const fields: PathField[] = [];
  // Segments after ** are counted from the end.
  if (path.segments.some(({ kind }) => kind === "many")) return undefined;
  for (const { fieldPath, start, end } of path.variables) {
    const [field, ...deeper] = fieldsAlong(input, fieldPath) ?? [];
    const isOneSegment = end - start === 1 && path.segments[start]?.kind === "one";
    const valueOf = field === undefined || deeper.length > 0 || !isOneSegment ? undefined : valueReader(field, decoded);
    if (field === undefined || valueOf === undefined) return undefined;
    fields.push({ segment: start, localName: field.localName, valueOf });
  }
  return fields;
}

function queryFieldsOf({ input }: Operation, { path }: HttpBinding): ReadonlyMap<string, QueryField> {
  const elsewhere = new Set(path.variables.map(({ fieldPath }) => fieldPath[0]));
  const fields = new Map<string, QueryField>();
  for (const [index, field] of input.fields.slice(0, 31).entries()) {
    const valueOf = elsewhere.has(field.name) ? undefined : valueReader(field, queryText);
    if (valueOf === undefined) continue;
    const known = { bit: 1 << index, localName: field.localName, valueOf };
    fields.set(field.name, known).set(field.jsonName, known);
  }
  return fields;
}

/** Compiles the fast reader of an operation; undefined if it can read no requests. */
export function plainRequestReader(operation: Operation, binding: HttpBinding): ReadPlainRequest | undefined {
  const pathFields = pathFieldsOf(operation, binding);
  if (pathFields === undefined || binding.body !== "") return undefined;
  const queryFields = queryFieldsOf(operation, binding);
  return (segments, query) => {
    const message = create(operation.input) as Message & Record<string, unknown>;
    for (const { segment, localName, valueOf } of pathFields) {
      const value = valueOf(segments[segment] ?? "");
      if (value === undefined) return undefined;
      message[localName] = value;
    }
    let seen = 0;
    for (let at = 0; at < query.length;) {
      const ampersand = query.indexOf("&", at);
      const end = ampersand === -1 ? query.length : ampersand;
      const equals = query.indexOf("=", at);
      if (equals === -1) return undefined;
      // A parameter without a value has a name that includes the next parameter, which matches no field.
      const field = queryFields.get(query.slice(at, equals));
      if (field === undefined || (seen & field.bit) !== 0) return undefined;
      const value = field.valueOf(query.slice(equals + 1, end));
      if (value === undefined) return undefined;
      message[field.localName] = value;
      seen |= field.bit;
      at = end + 1;
    }
    return message;
  };
}
