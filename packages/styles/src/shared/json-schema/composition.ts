// JSON Schemas put together so that validators read all of them, and makers of clients what makes good types.
import type { DescField } from "@bufbuild/protobuf";
import type { FieldGroup } from "@roundtrip/contract/schema-rules";

// The JSON Schema (2020-12) that OpenAPI 3.1 uses, reduced to what contracts need.

/** A schema, or any other object of an OpenAPI document: keywords and their values. */
export type JsonSchema = { readonly [keyword: string]: JsonSchemaValue };

export type JsonSchemaValue = string | number | boolean | null | JsonSchema | readonly JsonSchemaValue[];

/** How properties are named. */
export type NameOf = (field: DescField) => string;

/** Pairs of a larger oneof would fill pages. */
const maxExclusive = 8;

/** Both schemas as one. The second has at most a least size, and `not`. */
export function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged = { ...one, ...other };
  if (one["not"] !== undefined && other["not"] !== undefined) merged["not"] = { anyOf: [one["not"], other["not"]] };
  for (const least of ["minLength", "minItems", "minProperties"])
    if (least in merged) merged[least] = Math.max(Number(one[least] ?? 0), Number(other[least] ?? 0));
  return merged;
}

/** Makers of clients do not look into `then`: of `not`, and of what is required inside, they make types that nobody wants. */
function inThen(schema: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, for which nobody waits
  return Object.keys(schema).length === 0 ? {} : { if: {}, then: schema };
}

/** The same schema as makers of clients read it: beside a reference, they read nothing. */
export function tidy({ $ref, not, ...schema }: JsonSchema, more: JsonSchema = {}): JsonSchema {
  const forbidden = not === undefined ? {} : { not };
  const rest = { ...schema, ...inThen({ ...forbidden, ...more }) };
  if ($ref === undefined) return rest;
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest };
}

/** A schema without its description, which is elsewhere in the document. */
export function unnamed({ description: _description, ...schema }: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema as {
    readonly allOf?: readonly [JsonSchema];
    readonly [keyword: string]: JsonSchemaValue;
  };
  return allOf?.length === 1 && Object.keys(rest).length === 0 ? allOf[0] : schema;
}

/** An object that has all of these. Linters want each of them named. */
export function having(names: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

export function noneOf(refused: readonly JsonSchema[]): JsonSchema {
  const [first, ...more] = refused;
  return first === undefined ? {} : { not: more.length === 0 ? first : { anyOf: refused } };
}

/** Refuses two fields of a group. */
export function exclusive(groups: readonly FieldGroup[], nameOf: NameOf): JsonSchema {
  const pairs = groups
    .filter(({ fields, isExact }) => isExact && fields.length <= maxExclusive)
    .map(({ fields }) => fields.map(nameOf))
    .flatMap((names) => names.flatMap((one, index) => names.slice(index + 1).map((other) => having([one, other]))));
  return noneOf(pairs);
}
