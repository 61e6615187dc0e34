// What is left of a part of a message without the fields that it says are not set: of a oneof, all but one may be said to be.
import { isObject } from "@roundtrip/contract";
import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { fieldNamed, isWhole } from "./read-message.ts";

/** True where null is a value, and so cannot say that nothing is set. */
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

/** The ProtoJSON of a message without its nulls, however deep they lie. What is no message is left as it is. */
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
