// What files that people write are made of, each kind of value with the fault that says what is wanted instead.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { suggestion } from "@roundtrip/contract/nearest-name";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { jsonText } from "./json-text.ts";

/** That something else is wanted there. */
export function expected(what: string, json: JsonValue, path: ValuePath): FakeError {
  return new FakeError("wrong-type", `expected ${what}, here is ${jsonText(json)}`, { path });
}

/** An object that has no members but these. */
export function objectOf(json: JsonValue, keys: readonly string[], what: string, path: ValuePath): JsonObject {
  if (!isObject(json)) throw expected(`${what}: an object with ${keys.join(", ")}`, json, path);
  const stray = Object.keys(json).find((key) => !keys.includes(key));
  if (stray === undefined) return json;
  const text = `there is no "${stray}" in ${what} (it has ${keys.join(", ")})${suggestion(stray, keys)}`;
  throw new FakeError("unknown-field", text, { path: [...path, stray] });
}

/** A text, or another one where there is none. */
export function textOf(json: JsonValue | undefined, otherwise: string, path: ValuePath): string {
  if (json === undefined) return otherwise;
  if (typeof json !== "string") throw expected("a text", json, path);
  return json;
}

/** A list of anything. */
export function listOf(json: JsonValue, path: ValuePath): readonly JsonValue[] {
  if (!Array.isArray(json)) throw expected("a list", json, path);
  return json;
}
