// Whether a request has what somebody said of it: a part of a message in ProtoJSON, compiled into comparisons of its fields.
import { isObject } from "@roundtrip/contract";
import {
  equals,
  fromJson,
  isFieldSet,
  isMessage,
  ScalarType,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as FieldPresence, FloatValueSchema } from "@bufbuild/protobuf/wkt";
import { isDeepStrictEqual } from "node:util";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { valueOf } from "./field-value.ts";
import { isWhole, knownField, readMessage } from "./read-message.ts";
import { hasNull, setFields } from "./set-fields.ts";
import type { AskedValue } from "./stub-index.ts";

/** True for requests that have all that is asked of them. */
export type RequestPattern = (request: Message) => boolean;

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

/** True for `{}`, which says nothing of a request. */
export function isEveryRequest(when: JsonValue): boolean {
  return isObject(when) && Object.keys(when).length === 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}

/** Whether a value of the contract is this one: bytes by their content, well-known messages as wholes. */
function sameAs(field: DescField, expected: unknown, registry: Registry): Test {
  const { message, scalar } = field;
  if (expected instanceof Uint8Array) {
    return (value) => value instanceof Uint8Array && Buffer.compare(value, expected) === 0;
  }
  if (
    typeof expected === "number" &&
    (scalar === ScalarType.FLOAT || message?.typeName === FloatValueSchema.typeName)
  ) {
    // What came as JSON has more digits than what came as four bytes.
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

/** The one value that `json` has at its place in the field. */
function expectedValue(field: DescField, json: JsonValue, registry: Registry): unknown {
  return valueOf(field)(fromJson(field.parent, { [field.jsonName]: json }, { registry }));
}

function listTest(field: DescField, json: readonly JsonValue[], registry: Registry): Test {
  const { message } = field;
  const expected = expectedValue(field, [...json], registry) as readonly unknown[];
  const tests = json.map((one, index): Test => {
    if (message === undefined || isWhole(message)) return sameAs(field, expected[index], registry);
    return messageTest(message, one, registry);
  });
  return (value) =>
    Array.isArray(value) && value.length === tests.length && tests.every((test, index) => test(value[index]));
}

function mapTest(field: DescField, json: Readonly<Record<string, JsonValue>>, registry: Registry): Test {
  const { message } = field;
  const tests = Object.entries(json).map(([key, one]) => {
    const [[name, expected] = [key, undefined]] = Object.entries(
      expectedValue(field, { [key]: one }, registry) as Fields,
    );
    const isPart = message !== undefined && !isWhole(message);
    return [name, isPart ? messageTest(message, one, registry) : sameAs(field, expected, registry)] as const;
  });
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
    const test = listTest(field, json as readonly JsonValue[], registry);
    return (message) => test(read(message));
  }
  if (field.fieldKind === "map") {
    const test = mapTest(field, json as Readonly<Record<string, JsonValue>>, registry);
    return (message) => test(read(message));
  }
  if (field.message !== undefined && !isWhole(field.message)) {
    const test = messageTest(field.message, json, registry);
    return (message) => test(read(message));
  }
  const test = sameAs(field, expectedValue(field, json, registry), registry);
  if (field.presence === FieldPresence.IMPLICIT) return (message) => test(read(message));
  // Where fields know whether they are set, the default that the contract gives one is no value that somebody sent.
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
 * Compiles what is said of a request. Throws a FakeError for what no request of the type can have.
 * @param when a part of the request in ProtoJSON. What it says has to be there and equal: nested messages are parts again, lists have as
 * many elements, maps may have other keys too, messages that ProtoJSON spells in a way of their own are compared as wholes. `null` is a
 * field that is not set. `{}` is every request.
 */
export function requestPattern(
  type: DescMessage,
  when: JsonValue,
  registry: Registry,
  path: ValuePath = [],
): RequestPattern {
  if (isEveryRequest(when)) return () => true;
  const expected = readMessage(type, setFields(type, when), path, registry);
  if (isWhole(type)) return (request) => equals(type, request, expected, { registry, unpackAny: true });
  const extension = Object.keys(when as object).find((key) => key.startsWith("["));
  if (extension !== undefined) {
    throw new FakeError("unknown-field", "extensions cannot be asked for", { path: [...path, extension] });
  }
  return patternOf(type, when, registry);
}

/** Kinds of values that are equal as JavaScript sees it. */
const comparedAlone: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/**
 * The first member of what is said that asks for one value, whatever else is said; undefined when there is none. To be asked of what
 * {@link requestPattern} takes.
 */
export function askedValue(type: DescMessage, when: JsonValue, registry: Registry): AskedValue | undefined {
  if (isWhole(type) || !isObject(when)) return undefined;
  for (const [key, json] of Object.entries(when)) {
    const field = knownField(type, key, []);
    const isOne = field.fieldKind === "scalar" || field.fieldKind === "enum";
    // Numbers of four bytes are not looked up: what came as JSON has more digits.
    if (!isOne || json === null || field.scalar === ScalarType.FLOAT) continue;
    const value = expectedValue(field, json, registry);
    if (comparedAlone.has(typeof value)) return { field, value };
  }
  return undefined;
}
