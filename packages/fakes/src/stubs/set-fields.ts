// Removes from a partial message what is not ProtoJSON: nulls, which mean unset fields (ProtoJSON would refuse several for one oneof), and patterns.
import { isObject } from "@roundtrip/contract";
import type { DescField, DescMessage, JsonObject, JsonValue, Registry } from "@bufbuild/protobuf";
import type { ValuePath } from "../basics/fake-error.ts";
import { fieldNamed, isWhole } from "./read-message.ts";
import { containedIn, isListPattern, isTextPattern, placeholder, textPattern } from "./value-pattern.ts";

/** True if null is a value of the field, and so does not mean unset. */
export function hasNull({ message, enum: type }: DescField): boolean {
  return message?.typeName === "google.protobuf.Value" || type?.typeName === "google.protobuf.NullValue";
}

/** One value of a field, or of its list or map. */
function elementOf(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  const { message } = field;
  if (isTextPattern(field, json)) {
    textPattern(json, path);
    return placeholder(field, registry);
  }
  return message === undefined || isWhole(message) ? json : setFields(message, json, path, registry);
}

function valueOf(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  if (isListPattern(field, json)) {
    return [elementOf(field, containedIn(json, path), [...path, "contains"], registry)];
  }
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) return json;
    return json.map((one, index) => elementOf(field, one, [...path, index], registry));
  }
  if (field.fieldKind !== "map") return elementOf(field, json, path, registry);
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(([key, one]) => [key, elementOf(field, one, [...path, key], registry)]);
  return Object.fromEntries(entries) as JsonObject;
}

/**
 * The ProtoJSON of a message without nulls at any depth, and with valid values in the place of patterns. Other values stay as they are. Throws a
 * FakeError for an invalid pattern.
 */
export function setFields(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  if (!isObject(json) || isWhole(type)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const field = fieldNamed(type, key);
      if (field === undefined) return [[key, value]];
      return value === null && !hasNull(field) ? [] : [[key, valueOf(field, value, [...path, key], registry)]];
    }),
  );
}
