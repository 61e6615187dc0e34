// What makes one JSON value of another, as a JSON Merge Patch (RFC 7396): the members that are different, and null for those that are not there.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Does not say all where a value holds null itself, or other members stand in another order: {@link patched} tells. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const [name, value] of Object.entries(to)) {
    const known = from[name];
    if (JSON.stringify(known) === JSON.stringify(value)) continue;
    patch[name] = isObject(known) && isObject(value) ? mergePatch(known, value) : value;
  }
  for (const name of Object.keys(from)) if (!(name in to)) patch[name] = null;
  return patch;
}

/** A value with a patch applied. */
export function patched(from: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const to: JsonObject = isObject(from) ? { ...from } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete to[name];
    else to[name] = patched(to[name], value);
  }
  return to;
}
