// JSON values in messages for people.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

const longest = 60;

export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** What stands there, as JSON has it; its beginning, when that is long. */
export function jsonText(json: JsonValue): string {
  const text = JSON.stringify(json);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
