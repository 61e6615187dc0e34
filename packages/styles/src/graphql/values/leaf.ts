// Leaf values of GraphQL: their scalars and JSON forms, for server and client.
import { create, type DescMessage, type JsonValue, type Registry, type ScalarType } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { camelPath, snakePath } from "@roundtrip/contract";
import { notA } from "../../shared/proto-json/json-errors.ts";
import { anyJson, messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { exactJson, messageToJson } from "../../shared/proto-json/message-to-json.ts";
import { kindOf, type ScalarKind, scalarJson } from "../../shared/proto-json/scalars.ts";

/** One kind of value. `encode` and `decode` throw an Error for values that the scalar cannot carry. */
export interface Leaf {
  /** The GraphQL scalar; for field masks, lists of `String`. */
  readonly type: string;
  readonly isList: boolean;
  /** From the protobuf-es form to JSON. */
  readonly encode: (value: unknown) => unknown;
  /** From JSON to the protobuf-es form. */
  readonly decode: (json: unknown) => unknown;
}

/** The identity, for values that are the same in JSON: a resolver may return the message's property. */
export const asItIs = (value: unknown): unknown => value;

const types: Readonly<Record<ScalarKind, string>> = {
  string: "String",
  bool: "Boolean",
  bytes: "Base64",
  float: "Double",
  double: "Double",
  int32: "Int",
  uint32: "UInt32",
  // As decimal text, exact in every client.
  int64: "Int64",
  uint64: "UInt64",
};
const sameInJson: ReadonlySet<ScalarKind> = new Set(["string", "bool", "int32", "uint32"]);

/** The leaf of a scalar type, whose custom scalars are spelled as in ProtoJSON. @param longAsString whether protobuf-es stores this field as text */
export function scalarLeaf(scalar: ScalarType, longAsString: boolean): Leaf {
  const kind = kindOf(scalar);
  const type = types[kind];
  const { read, write } = scalarJson(scalar);
  return {
    type,
    isList: false,
    encode: sameInJson.has(kind) ? asItIs : write,
    decode(json) {
      const value = read(json);
      if (value === undefined) throw notA(`a value of ${type}`, json);
      return longAsString ? value.toString() : value;
    },
  };
}

const fieldMask: Leaf = {
  type: "String",
  isList: true,
  encode: (value) => (value as { readonly paths: readonly string[] }).paths.map((path) => camelPath(path)),
  decode(json) {
    if (!Array.isArray(json)) throw new Error(`not a list of paths: ${JSON.stringify(json)}`);
    return create(FieldMaskSchema, { paths: json.map((path) => snakePath(String(path))) });
  },
};

const scalarOfWellKnown = new Map(
  Object.entries({
    "google.protobuf.Timestamp": "DateTime",
    "google.protobuf.Duration": "Duration",
    "google.protobuf.FieldMask": "String",
    "google.protobuf.Any": "JSON",
    "google.protobuf.Struct": "JSON",
    "google.protobuf.Value": "JSON",
    "google.protobuf.ListValue": "JSON",
  }),
);

/** The leaf of a message type with one value; undefined for object types. @param isOne false for elements of a list or map. */
export function messageLeaf(message: DescMessage, isOne: boolean, registry: Registry): Leaf | undefined {
  if (message.typeName === FieldMaskSchema.typeName && isOne) return fieldMask;
  const type = scalarOfWellKnown.get(message.typeName);
  if (type === undefined) return undefined;
  const read = messageFromJson(message, { registry });
  const write = messageToJson(message, { registry });
  if (message.typeName === "google.protobuf.Struct") {
    const decode = (json: unknown): unknown => {
      read(json as JsonValue);
      // protobuf-es stores a Struct as a JSON object.
      return anyJson(json);
    };
    return { type, isList: false, encode: exactJson, decode };
  }
  return {
    type,
    isList: false,
    encode: write as Leaf["encode"],
    decode: (json) => read(json as JsonValue),
  };
}
