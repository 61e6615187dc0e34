// google.protobuf.Struct: protobuf-es has it as a JSON object in fields, and as a message elsewhere. In XML it is a message like any other.
import { fromJson, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { StructSchema, type Struct, type Value } from "@bufbuild/protobuf/wkt";
import { setOwn } from "../../shared/local-values.ts";

/** The message of a field's value. Throws an Error for a value of another type. */
export function structOfLocal(local: unknown): Message {
  return fromJson(StructSchema, local as JsonObject);
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
