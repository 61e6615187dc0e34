// Makes and applies JSON Merge Patches (RFC 7396): the members that differ, and null for removed ones.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** The patch may be incomplete if a value contains null, or if members have another order. Check it with {@link patched}. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  // A map, because members may have the names of properties that all objects inherit.
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

export function patched(from: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const to = new Map(Object.entries(isObject(from) ? from : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) to.delete(name);
    else to.set(name, patched(to.get(name), value));
  }
  return Object.fromEntries(to);
}
