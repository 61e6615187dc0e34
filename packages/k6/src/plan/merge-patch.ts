// What makes one JSON value of another, as a JSON Merge Patch (RFC 7396): the members that are different, and null for those that are not there.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Does not say all where a value holds null itself, or other members stand in another order: {@link patched} tells. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  // Members may have names that every object of JavaScript knows: a map tells those that are there.
  const known = new Map(Object.entries(from));
  const patch = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(to)) {
    const before = known.get(name);
    known.delete(name);
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    patch.set(name, isObject(before) && isObject(value) ? mergePatch(before, value) : value);
  }
  for (const name of known.keys()) patch.set(name, null);
  return Object.fromEntries(patch);
}

/** A value with a patch applied. */
export function patched(from: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const to = new Map(Object.entries(isObject(from) ? from : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) to.delete(name);
    else to.set(name, patched(to.get(name), value));
  }
  return Object.fromEntries(to);
}
