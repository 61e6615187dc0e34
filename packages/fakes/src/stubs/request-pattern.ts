// Matches requests with a partial message in ProtoJSON and patterns, compiled into comparisons of fields.
import { isObject } from "@roundtrip/contract";
import {
  equals,
  fromJson,
  isFieldSet,
  isMessage,
  ScalarType,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as FieldPresence, FloatValueSchema } from "@bufbuild/protobuf/wkt";
import { isDeepStrictEqual } from "node:util";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { valueOf, type AskedValue } from "./stub-index.ts";
import { isWhole, knownField, readMessage } from "./read-message.ts";
import { containedIn, hasNull, isListPattern, isTextPattern, placeholder, setFields, textTest } from "./patterns.ts";

/** True for requests that contain all of the pattern. */
export type RequestPattern = (request: Message) => boolean;

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

/** True for `{}`, which matches every request. */
export function isEveryRequest(when: JsonValue): boolean {
  return isObject(when) && Object.keys(when).length === 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}

/** Whether two values of the contract are equal: bytes by their content, well-known messages as wholes. */
function sameAs(field: DescField, expected: unknown, registry: Registry): Test {
  const { message, scalar } = field;
  if (expected instanceof Uint8Array) {
    return (value) => value instanceof Uint8Array && Buffer.compare(value, expected) === 0;
  }
  if (
    typeof expected === "number" &&
    (scalar === ScalarType.FLOAT || message?.typeName === FloatValueSchema.typeName)
  ) {
    // Floats from JSON have more digits than 32-bit floats.
    const single = Math.fround(expected);
    return (value) => isSame(Math.fround(value as number), single);
  }
  if (message !== undefined && isMessage(expected)) {
    return (value) => isMessage(value) && equals(message, value, expected, { registry, unpackAny: true });
  }
  // The JSON objects of google.protobuf.Struct.
  if (typeof expected === "object") return (value) => isDeepStrictEqual(value, expected);
  return (value) => isSame(value, expected);
}

/** The value that `json` means in the field. */
function expectedValue(field: DescField, json: JsonValue, registry: Registry): unknown {
  return valueOf(field)(fromJson(field.parent, { [field.jsonName]: json }, { registry }));
}

/** The test of one value: of the field, or of an element of its list or map. @param elementIn reads the JSON of the value */
function elementTest(
  field: DescField,
  json: JsonValue,
  registry: Registry,
  elementIn: (json: JsonValue) => unknown,
): Test {
  const { message } = field;
  if (isTextPattern(field, json)) return textTest(field, json, registry);
  if (message !== undefined && !isWhole(message)) return messageTest(message, json, registry);
  return sameAs(field, elementIn(json), registry);
}

export function listElementTest(field: DescField, json: JsonValue, registry: Registry): Test {
  return elementTest(field, json, registry, (one) => (expectedValue(field, [one], registry) as readonly unknown[])[0]);
}

export function mapElementTest(field: DescField, key: string, json: JsonValue, registry: Registry): Test {
  return elementTest(
    field,
    json,
    registry,
    (one) => Object.values(expectedValue(field, { [key]: one }, registry) as Fields)[0],
  );
}

function listTest(field: DescField, json: JsonValue, registry: Registry): Test {
  if (isListPattern(field, json)) {
    const test = listElementTest(field, containedIn(json, []), registry);
    return (value) => Array.isArray(value) && value.some((one) => test(one));
  }
  const tests = (json as readonly JsonValue[]).map((one) => listElementTest(field, one, registry));
  return (value) =>
    Array.isArray(value) && value.length === tests.length && tests.every((test, index) => test(value[index]));
}

function mapTest(field: DescField, json: JsonObject, registry: Registry): Test {
  const keyOf = (key: string): string =>
    Object.keys(expectedValue(field, { [key]: placeholder(field, registry) }, registry) as Fields)[0] ?? key;
  const tests = Object.entries(json).map(
    ([key, one]) => [keyOf(key), mapElementTest(field, key, one, registry)] as const,
  );
  return (value) => tests.every(([key, test]) => Object.hasOwn(value as Fields, key) && test((value as Fields)[key]));
}

function messageTest(type: DescMessage, json: JsonValue, registry: Registry): Test {
  const pattern = patternOf(type, json, registry);
  return (value) => value !== undefined && pattern(value as Message);
}

function fieldPattern(field: DescField, json: JsonValue, registry: Registry): RequestPattern {
  if (json === null && !hasNull(field)) return (message) => !isFieldSet(message, field);
  const read = valueOf(field);
  if (field.fieldKind === "list") {
    const test = listTest(field, json, registry);
    return (message) => test(read(message));
  }
  if (field.fieldKind === "map") {
    const test = mapTest(field, json as JsonObject, registry);
    return (message) => test(read(message));
  }
  const test = elementTest(field, json, registry, (one) => expectedValue(field, one, registry));
  if (field.presence === FieldPresence.IMPLICIT || (field.message !== undefined && !isWhole(field.message))) {
    return (message) => test(read(message));
  }
  // For fields with presence, the default of the contract does not count as a value.
  return (message) => isFieldSet(message, field) && test(read(message));
}

function patternOf(type: DescMessage, json: JsonValue, registry: Registry): RequestPattern {
  const patterns = Object.entries(json as Readonly<Record<string, JsonValue>>).map(([key, value]) =>
    fieldPattern(knownField(type, key, []), value, registry),
  );
  const [only] = patterns;
  if (only !== undefined && patterns.length === 1) return only;
  return (message) => patterns.every((pattern) => pattern(message));
}

/**
 * Compiles a pattern. Throws a FakeError if no request of the type can match it.
 * @param when a part of the request in ProtoJSON. Its members must be present and equal: nested messages match by the same rule, lists need
 * the same length, maps may have other keys, and messages with a special ProtoJSON form are compared as wholes. `{ matches }` and `{ glob }` match
 * texts, `{ contains }` matches lists. `null` matches an unset field. `{}` matches every request.
 */
export function requestPattern(
  type: DescMessage,
  when: JsonValue,
  registry: Registry,
  path: ValuePath = [],
): RequestPattern {
  if (isEveryRequest(when)) return () => true;
  const expected = readMessage(type, setFields(type, when, path, registry), path, registry);
  if (isWhole(type)) return (request) => equals(type, request, expected, { registry, unpackAny: true });
  const extension = Object.keys(when as object).find((key) => key.startsWith("["));
  if (extension !== undefined) {
    throw new FakeError("unknown-field", "extensions cannot be matched", { path: [...path, extension] });
  }
  return patternOf(type, when, registry);
}

/** Types whose values can be compared with ===. */
const comparedAlone: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/**
 * The first member of a pattern that requires a single value, for an index; undefined if there is none. The pattern must be valid for
 * {@link requestPattern}.
 */
export function askedValue(type: DescMessage, when: JsonValue, registry: Registry): AskedValue | undefined {
  if (isWhole(type) || !isObject(when)) return undefined;
  for (const [key, json] of Object.entries(when)) {
    const field = knownField(type, key, []);
    const isOne = field.fieldKind === "scalar" || field.fieldKind === "enum";
    // 32-bit floats cannot be looked up: values from JSON have more digits.
    if (!isOne || json === null || isObject(json) || field.scalar === ScalarType.FLOAT) continue;
    const value = expectedValue(field, json, registry);
    if (comparedAlone.has(typeof value)) return { field, value };
  }
  return undefined;
}
