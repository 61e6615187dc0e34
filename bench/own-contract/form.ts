// Reads the parts of files that people write. Errors say which type of value is expected.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "@roundtrip/fakes";
import { expected } from "@roundtrip/fakes/parts";

/** An object with only these members. */
export function objectOf(json: JsonValue, keys: readonly string[], what: string, path: ValuePath): JsonObject {
  if (!isObject(json)) throw expected(`${what}: an object with ${keys.join(", ")}`, json, path);
  const unknown = Object.keys(json).find((key) => !keys.includes(key));
  if (unknown === undefined) return json;
  const text = `unknown member "${unknown}" in ${what}${suggestion(unknown, keys)} (valid: ${keys.join(", ")})`;
  throw new FakeError("unknown-field", text, { path: [...path, unknown] });
}

/** A text, or the default if the value is missing. */
export function textOf(json: JsonValue | undefined, otherwise: string, path: ValuePath): string {
  if (json === undefined) return otherwise;
  if (typeof json !== "string") throw expected("a string", json, path);
  return json;
}

export function listOf(json: JsonValue, path: ValuePath): readonly JsonValue[] {
  if (!Array.isArray(json)) throw expected("a list", json, path);
  return json;
}
