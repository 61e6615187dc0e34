// One question about JSON that every package asks.
import type { JsonObject } from "@bufbuild/protobuf";

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
