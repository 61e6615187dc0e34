// JSON of any shape, for google.protobuf.Struct, Value and ListValue.
import { isObject } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import { maxDepth, nearestDouble, invalidSpelling } from "./spelling.ts";

function wellFormed(text: string): string {
  // A lone surrogate is not a character, and UTF-8 cannot encode it.
  return text.isWellFormed() ? text : invalidSpelling("text without half a surrogate pair", text);
}

/** Checks any JSON for numbers and text that protobuf cannot represent. */
export function dynamicSpelling(json: unknown, depth: number): JsonValue {
  if (typeof json === "string") return wellFormed(json);
  if (typeof json === "number")
    return Number.isFinite(json) ? json : invalidSpelling("a number that a double holds", json);
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return nearestDouble(json);
  if (depth > maxDepth) return json as JsonValue;
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) {
      const read = dynamicSpelling(item, depth + 1);
      if (read !== item) json[index] = read;
    }
  } else if (isObject(json)) {
    for (const key of Object.keys(json)) {
      wellFormed(key);
      const read = dynamicSpelling(json[key], depth + 1);
      if (read !== json[key]) json[key] = read;
    }
  }
  return json as JsonValue;
}
