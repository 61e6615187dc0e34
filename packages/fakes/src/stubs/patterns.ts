// Conditions on values and headers: `matches`, `glob`, `contains` and equality.
import { isObject, isReservedMetadata, type Metadata } from "@roundtrip/contract";
import {
  create,
  type DescField,
  type DescMessage,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Registry,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import type * as Re2 from "@bufbuild/re2";
import { createRequire } from "node:module";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected, objectOf } from "../files/form.ts";
import { fieldNamed, isWhole } from "./read-message.ts";
import { redactedText } from "../basics/masked-copy.ts";

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
function textPattern(json: JsonValue, path: ValuePath): TextTest {
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

/** By name: the value, a pattern (`{ matches }`, `{ glob }`), or null for a header that must be missing. Upper and lower case of names are the same. */
export type HeaderConditions = Readonly<Record<string, JsonValue>>;

/** One condition, compiled. */
interface HeaderTest {
  /** In lower case. */
  readonly name: string;
  readonly expected: JsonValue;
  readonly test: (value: string | undefined) => boolean;
}

function testOf(json: JsonValue, path: ValuePath): HeaderTest["test"] {
  if (json === null) return (value) => value === undefined;
  if (typeof json === "string") return (value) => value === json;
  if (!isObject(json)) throw expected("a text, a pattern or null", json, path);
  const test = textPattern(json, path);
  return (value) => value !== undefined && test(value);
}

/** Compiles conditions. Throws a FakeError for invalid ones, and for headers that no call can have. */
export function headerTests(conditions: JsonValue, path: ValuePath): readonly HeaderTest[] {
  if (!isObject(conditions)) throw expected("headers: an object of texts and patterns by name", conditions, path);
  return Object.entries(conditions).map(([given, json]) => {
    const name = given.toLowerCase();
    const at = [...path, given];
    if (isReservedMetadata(name)) {
      throw new FakeError("unknown-field", `${name} belongs to the protocols: calls are compared without it`, {
        path: at,
      });
    }
    return { name, expected: json, test: testOf(json, at) };
  });
}

const secretName =
  /cookie|auth(?!ors?\b)|token|secret|password|passwd|passphrase|credential|signature|jwt|(?:api|access|private|account)[-_]?key/i;
/** Credentials of HTTP's schemes, and JSON web tokens. */
const secretValue = /^(?:basic|bearer|digest|negotiate) |\beyJ[\w-]{8,}\.[\w-]+/i;

/** The value of a header for people: masked if its name or its form is one of credentials. */
export function shownHeader(name: string, value: string): string {
  return secretName.test(name) || secretValue.test(value) ? redactedText : value;
}

/** The headers of a call for people. */
export function shownHeaders(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.fromEntries([...metadata].map(([name, value]) => [name, shownHeader(name, value)]));
}

/** True if null is a value of the field, and so does not mean unset. */
export function hasNull({ message, enum: type }: DescField): boolean {
  return message?.typeName === "google.protobuf.Value" || type?.typeName === "google.protobuf.NullValue";
}

/** One value of a field, or of its list or map. */
function elementOf(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  const { message } = field;
  if (isTextPattern(field, json)) {
    textPattern(json, path);
    return placeholder(field, registry);
  }
  return message === undefined || isWhole(message) ? json : setFields(message, json, path, registry);
}

function valueOf(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  if (isListPattern(field, json)) {
    return [elementOf(field, containedIn(json, path), [...path, "contains"], registry)];
  }
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) return json;
    return json.map((one, index) => elementOf(field, one, [...path, index], registry));
  }
  if (field.fieldKind !== "map") return elementOf(field, json, path, registry);
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(([key, one]) => [key, elementOf(field, one, [...path, key], registry)]);
  return Object.fromEntries(entries) as JsonObject;
}

/**
 * The ProtoJSON of a message without nulls at any depth, and with valid values in the place of patterns. Other values stay as they are. Throws a
 * FakeError for an invalid pattern.
 */
export function setFields(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): JsonValue {
  if (!isObject(json) || isWhole(type)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const field = fieldNamed(type, key);
      if (field === undefined) return [[key, value]];
      return value === null && !hasNull(field) ? [] : [[key, valueOf(field, value, [...path, key], registry)]];
    }),
  );
}
