// One message of a generated contract. Its fields are drawn first and named and numbered later, so that it shrinks well.
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type DescriptorProtoSchema,
  type FieldDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";

/** The JSON name that protoc gives a field. It must be unique within a message. */
function jsonNameOf(name: string): string {
  return name.replaceAll(/_+([A-Za-z0-9])?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

const plainNames = ["a", "b", "number", "some_text", "data", "items", "nested", "flag"];

/** Valid names with a special meaning in JavaScript, JSON, GraphQL or HTTP. */
const awkwardNames = `
  class constructor to_string value_of prototype type_name id ID query input mutation true null on fragment with_2_digits camelCase
  UPPER_CASE trailing_ double__underscore _leading key value case type kind message then has_own_property is_prototype_of __proto__
  __typename to_json length name path body page_token is_set of node
`;

function jsonKeyOf(name: string): string {
  return jsonNameOf(name).toLowerCase();
}

/** Distinct names for the fields of one message. */
export function fieldNames(count: number): fc.Arbitrary<string[]> {
  const names = fc.oneof(fc.constantFrom(...plainNames), fc.constantFrom(...awkwardNames.trim().split(/\s+/)));
  return fc.uniqueArray(names, { minLength: count, maxLength: count, selector: jsonKeyOf });
}

const scalars = [
  Type.STRING,
  Type.INT32,
  Type.BOOL,
  Type.INT64,
  Type.DOUBLE,
  Type.BYTES,
  Type.FLOAT,
  Type.UINT32,
  Type.UINT64,
  Type.SINT32,
  Type.SINT64,
  Type.FIXED32,
  Type.FIXED64,
  Type.SFIXED32,
  Type.SFIXED64,
] as const;
const mapKeys = [Type.STRING, Type.INT32, Type.INT64, Type.UINT32, Type.UINT64, Type.BOOL, Type.SFIXED64] as const;
const wellKnown = `
  Timestamp Duration FieldMask Any Struct Value ListValue Empty StringValue BytesValue BoolValue Int32Value Int64Value UInt32Value
  UInt64Value FloatValue DoubleValue
`;

type Value =
  | { readonly kind: "scalar"; readonly type: Type }
  | { readonly kind: "enum" | "message"; readonly index: number }
  | { readonly kind: "wellKnown"; readonly name: string };

interface FieldSpec {
  readonly value: Value;
  readonly shape: "plain" | "optional" | "repeated" | "oneof" | "map";
  readonly key: Type;
}

export interface MessageSpec {
  readonly fields: readonly FieldSpec[];
}

const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("scalar" as const), type: fc.constantFrom(...scalars) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("enum" as const), index: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("message" as const), index: fc.nat({ max: 5 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wellKnown" as const),
      name: fc.constantFrom(...wellKnown.trim().split(/\s+/)),
    }),
  },
);

/** One to eight fields of a message, without names. */
export const messageSpec: fc.Arbitrary<MessageSpec> = fc.record({
  fields: fc.array(
    fc.record({
      value,
      shape: fc.constantFrom("plain", "optional", "repeated", "oneof", "map"),
      key: fc.constantFrom(...mapKeys),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

/** What a message may refer to: the number of messages and enums in the file, and their package. */
export interface Scope {
  readonly messages: number;
  readonly enums: number;
  readonly protoPackage: string;
}

type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema> & object;

function typed(
  of: Value,
  { messages, enums, protoPackage }: Scope,
): { readonly type: Type; readonly typeName: string } {
  switch (of.kind) {
    case "scalar":
      return { type: of.type, typeName: "" };
    case "enum":
      return { type: Type.ENUM, typeName: `.${protoPackage}.Colour${of.index % enums}` };
    case "message":
      return { type: Type.MESSAGE, typeName: `.${protoPackage}.Message${of.index % messages}` };
    case "wellKnown":
      return { type: Type.MESSAGE, typeName: `.google.protobuf.${of.name}` };
  }
}

/** The descriptor of `Message<at>`, with fields numbered from 1. @param names one per field, distinct in JSON too. */
export function madeUpMessage(
  { fields }: MessageSpec,
  at: number,
  names: readonly string[],
  scope: Scope,
): MessageInitShape<typeof DescriptorProtoSchema> & object {
  const name = `Message${at}`;
  const entries: { readonly name: string; readonly key: Type; readonly value: Value }[] = [];
  const optional: string[] = [];
  const hasOneof = fields.some(({ shape }) => shape === "oneof");
  const field = fields.map(({ value: of, shape, key }, index): FieldInit => {
    const fieldName = names[index] ?? `field_${index}`;
    const base = { name: fieldName, jsonName: jsonNameOf(fieldName), number: index + 1, label: Label.OPTIONAL };
    if (shape === "map") {
      const camel = jsonNameOf(`_${fieldName}`);
      entries.push({ name: `${camel}Entry`, key, value: of });
      const typeName = `.${scope.protoPackage}.${name}.${camel}Entry`;
      return { ...base, label: Label.REPEATED, type: Type.MESSAGE, typeName };
    }
    const typedBase = { ...base, ...typed(of, scope) };
    if (shape === "repeated") return { ...typedBase, label: Label.REPEATED };
    if (shape === "oneof") return { ...typedBase, oneofIndex: 0 };
    if (shape !== "optional") return typedBase;
    optional.push(`_${fieldName}`);
    return { ...typedBase, proto3Optional: true, oneofIndex: (hasOneof ? 1 : 0) + optional.length - 1 };
  });
  return {
    name,
    field,
    oneofDecl: [...(hasOneof ? ["one_of_them"] : []), ...optional].map((oneof) => ({ name: oneof })),
    nestedType: entries.map((entry) => ({
      name: entry.name,
      options: { mapEntry: true },
      field: [
        { name: "key", jsonName: "key", number: 1, label: Label.OPTIONAL, type: entry.key },
        { name: "value", jsonName: "value", number: 2, label: Label.OPTIONAL, ...typed(entry.value, scope) },
      ],
    })),
  };
}
