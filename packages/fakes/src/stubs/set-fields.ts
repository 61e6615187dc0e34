// Removes the nulls from a partial message, which mean unset fields: ProtoJSON would refuse several nulls for one oneof.
import { isObject } from "@roundtrip/contract";
import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { fieldNamed, isWhole } from "./read-message.ts";

/** True if null is a value of the field, and so does not mean unset. */
export function hasNull({ message, enum: type }: DescField): boolean {
  return message?.typeName === "google.protobuf.Value" || type?.typeName === "google.protobuf.NullValue";
}

function valueOf(field: DescField, json: JsonValue): JsonValue {
  const { message, fieldKind } = field;
  if (message === undefined || isWhole(message)) return json;
  if (fieldKind === "list") return Array.isArray(json) ? json.map((one) => setFields(message, one)) : json;
  if (fieldKind !== "map" || !isObject(json)) return setFields(message, json);
  return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, setFields(message, one)]));
}

/** The ProtoJSON of a message without nulls at any depth. Other values stay as they are. */
export function setFields(type: DescMessage, json: JsonValue): JsonValue {
  if (!isObject(json) || isWhole(type)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const field = fieldNamed(type, key);
      if (field === undefined) return [[key, value]];
      return value === null && !hasNull(field) ? [] : [[key, valueOf(field, value)]];
    }),
  );
}
