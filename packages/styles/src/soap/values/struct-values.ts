// google.protobuf.Struct: protobuf-es has it as a JSON object in fields, and as a message elsewhere. In XML it is a message like any other.
import { create, isMessage, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { ListValueSchema, NullValue, StructSchema, ValueSchema, type Struct, type Value } from "@bufbuild/protobuf/wkt";
import { isObject } from "@roundtrip/contract";
import { setOwn } from "../../shared/local-values.ts";

/** Deeper than messages may nest, so that the writer refuses it and the recursion ends. */
const maxDepth = 200;

function kindOf(json: JsonValue, depth: number): Value["kind"] {
  if (json === null) return { case: "nullValue", value: NullValue.NULL_VALUE };
  switch (typeof json) {
    case "number":
      return { case: "numberValue", value: json };
    case "string":
      return { case: "stringValue", value: json };
    case "boolean":
      return { case: "boolValue", value: json };
    default:
  }
  if (depth > maxDepth) throw new Error("an untyped value nests too deep");
  if (!Array.isArray(json)) return { case: "structValue", value: structOf(json, depth + 1) };
  return {
    case: "listValue",
    value: create(ListValueSchema, { values: json.map((item) => valueOf(item, depth + 1)) }),
  };
}

function valueOf(json: JsonValue, depth: number): Value {
  return create(ValueSchema, { kind: kindOf(json, depth) });
}

function structOf(json: JsonObject, depth: number): Struct {
  const struct = create(StructSchema);
  for (const key of Object.keys(json)) setOwn(struct.fields, key, valueOf(json[key] ?? null, depth + 1));
  return struct;
}

/** The message of a field's value. Throws an Error for a value of another type. */
export function structOfLocal(local: unknown): Message {
  if (isMessage(local)) return local;
  if (!isObject(local)) throw new Error("a google.protobuf.Struct is an object");
  return structOf(local, 0);
}

function jsonOf({ kind }: Value): JsonValue {
  switch (kind.case) {
    case "numberValue":
    case "stringValue":
    case "boolValue":
      return kind.value;
    case "structValue":
      return localOfStruct(kind.value);
    case "listValue":
      return kind.value.values.map(jsonOf);
    default:
      return null;
  }
}

export function localOfStruct(struct: Message): JsonObject {
  const json: JsonObject = {};
  for (const [key, value] of Object.entries((struct as Struct).fields)) setOwn(json, key, jsonOf(value));
  return json;
}
