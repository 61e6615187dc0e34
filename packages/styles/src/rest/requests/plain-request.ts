// Requests that are all path and query, and whose fields are whole numbers, text and field masks, go straight into a message: no JSON
// in between. Whatever is not that plain is left to the careful way, which also finds the words for what is wrong.
import { create, fromJson, ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import { fieldsAlong } from "./url-field.ts";

/** The request; undefined when the careful way has to read it. */
export type ReadPlainRequest = (segments: readonly string[], query: string) => Message | undefined;

/** What a text of a URL stands for in a message; undefined when it takes care. */
type ValueOf = (text: string) => unknown;

const canonicalInt = /^(?:0|-?[1-9]\d{0,9})$/;

/** Masks come from callers: more of them than this are not remembered. */
const maxMasks = 1_000;

function int32Of(text: string): number | undefined {
  if (!canonicalInt.test(text)) return undefined;
  const value = Number(text);
  return value === (value | 0) ? value : undefined;
}

/** Undefined for what is percent-encoded badly. */
function decoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function queryText(text: string): string | undefined {
  return decoded(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Callers send the same few masks again and again: the paths of each text are worked out once. */
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

/** How a field is read from the text of a path or a query; undefined for one that takes care. */
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
  /** A bit of its own: what comes twice takes care. */
  readonly bit: number;
  readonly localName: string;
  readonly valueOf: ValueOf;
}

/** Undefined when a variable of the path takes care. */
function pathFieldsOf({ input }: Operation, { path }: HttpBinding): readonly PathField[] | undefined {
  const fields: PathField[] = [];
  // What is behind ** has its place from the end.
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

/** Compiles how plain requests of an operation are read; undefined when none of its requests are plain. */
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
      // A parameter without a value takes the next one into its name, and no field has such a name.
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
