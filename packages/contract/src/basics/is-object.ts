// Questions about JSON that every package asks.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a text; undefined for a text that is no JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
