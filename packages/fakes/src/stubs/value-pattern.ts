// Conditions on a value other than equality: `{ matches: REGEX }` and `{ glob: TEXT }` for texts, `{ contains: ELEMENT }` for lists.
import { isObject } from "@roundtrip/contract";
import {
  create,
  isMessage,
  ScalarType,
  toJson,
  type DescField,
  type JsonObject,
  type JsonValue,
  type Registry,
} from "@bufbuild/protobuf";
import type * as Re2 from "@bufbuild/re2";
import { createRequire } from "node:module";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected, objectOf } from "../files/form.ts";
import { isWhole } from "./read-message.ts";

/** Longer patterns are refused. */
const maxPatternCharacters = 1_000;
/** Longer texts match no pattern. The engine takes linear time, but this time is spent for every call. */
const maxTextCharacters = 64 * 1024;

// Loaded with the first pattern.
const require = createRequire(import.meta.url);

type TextTest = (text: string) => boolean;

/** Well-known messages whose ProtoJSON is not a text or a number: an object in their place is a value. */
const withoutText: ReadonlySet<string> = new Set(
  ["Any", "BoolValue", "BytesValue", "ListValue", "Struct", "Value"].map((name) => `google.protobuf.${name}`),
);

/** Whether values of the field, or its elements, can be compared as texts. Other fields need equal values. */
function hasText({ scalar, enum: type, message }: DescField): boolean {
  if (message !== undefined) return isWhole(message) && !withoutText.has(message.typeName);
  return type !== undefined || (scalar !== ScalarType.BYTES && scalar !== ScalarType.BOOL);
}

/** Whether the JSON is a pattern for a value of the field, or for one of its elements. */
export function isTextPattern(field: DescField, json: JsonValue): json is JsonObject {
  return isObject(json) && hasText(field);
}

/** Whether the JSON is a pattern for a list: an object where ProtoJSON has an array. */
export function isListPattern({ fieldKind }: DescField, json: JsonValue): json is JsonObject {
  return fieldKind === "list" && isObject(json);
}

/** The element that a list must contain. Throws a FakeError for another form. */
export function containedIn(json: JsonObject, path: ValuePath): JsonValue {
  const { contains } = objectOf(json, ["contains"], "a pattern for a list", path);
  if (contains === undefined) throw expected("a list, or an object with contains", json, path);
  return contains;
}

/** `*` matches any text, `?` one character; a backslash takes the next character as it is. */
function globSource(glob: string): string {
  return glob.replaceAll(/\\(.)|[*?]|[^*?\\]|\\$/gsu, (part, escaped: string | undefined) => {
    if (part === "*") return ".*";
    if (part === "?") return ".";
    return (escaped ?? part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
}

function compiled(source: string, path: ValuePath): Re2.RE2JS {
  try {
    const { RE2JS } = require("@bufbuild/re2") as typeof Re2;
    return new RE2JS(source);
  } catch (cause) {
    const text = `not a regular expression of RE2: ${(cause as Error).message}`;
    throw new FakeError("wrong-type", text, { path, cause });
  }
}

/**
 * Reads `{ matches }` or `{ glob }`. A regular expression has RE2's syntax, as in the contract's rules, takes linear time, and matches anywhere in the
 * text; a glob matches the whole text. Throws a FakeError for another form.
 */
export function textPattern(json: JsonValue, path: ValuePath): TextTest {
  const { matches, glob } = objectOf(json, ["matches", "glob"], "a pattern", path);
  const given = matches ?? glob;
  if (typeof given !== "string" || (matches !== undefined && glob !== undefined)) {
    throw expected("a pattern: an object with a text as matches or glob", json, path);
  }
  if (given.length > maxPatternCharacters) {
    const text = `a pattern has at most ${maxPatternCharacters} characters, got ${given.length}`;
    throw new FakeError("too-large", text, { path });
  }
  const at = [...path, matches === undefined ? "glob" : "matches"];
  const engine = compiled(matches === undefined ? `(?s)${globSource(given)}` : given, at);
  const test: TextTest = matches === undefined ? (text) => engine.testExact(text) : (text) => engine.test(text);
  return (text) => text.length <= maxTextCharacters && test(text);
}

/** The text of a value of such a field. Enum values have their name, messages their ProtoJSON. */
function textOf({ enum: type, message }: DescField, value: unknown, registry: Registry): string {
  if (type !== undefined) return type.value[value as number]?.name ?? String(value);
  // A single wrapper is the value that it wraps.
  const isPlain = message === undefined || !isMessage(value);
  return String(isPlain ? value : toJson(message, value, { registry }));
}

export function textTest(field: DescField, json: JsonValue, registry: Registry): (value: unknown) => boolean {
  const test = textPattern(json, []);
  return (value) => value !== undefined && test(textOf(field, value, registry));
}

/** A valid value in the place of a pattern, for checks of what is beside it. */
export function placeholder({ enum: type, message, scalar }: DescField, registry: Registry): JsonValue {
  if (message !== undefined) return toJson(message, create(message), { registry });
  if (type !== undefined) return type.values[0]?.name ?? 0;
  if (scalar === ScalarType.BOOL) return false;
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES ? "" : 0;
}
