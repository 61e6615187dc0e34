// JSON text for ProtoJSON, where JavaScript's own reader and writer change numbers: integers beyond 2^53, and negative zero. Messages
// that hold no such numbers pay nothing for those that do.
import { ScalarType, type DescField, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf";

/** Reads JSON text. Throws a SyntaxError for what is none. */
export type ParseJson = (text: string) => JsonValue;

/** Writes JSON text. */
export type StringifyJson = (json: JsonValue) => string;

/** What of a message matters here: the message itself, or the one field of it that is the whole text. */
export type JsonSubject = DescMessage | DescField;

/** Whose JSON is any JSON, so that a number in it is a number. */
const dynamic = new Set([
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
  "google.protobuf.Any",
]);

const largeIntegers = new Set([
  ScalarType.INT64,
  ScalarType.SINT64,
  ScalarType.SFIXED64,
  ScalarType.UINT64,
  ScalarType.FIXED64,
]);
const fractions = new Set([ScalarType.DOUBLE, ScalarType.FLOAT]);

/** Whether a field, or a message in any depth, fits: messages by their names, scalars by their types. */
function holds(subject: JsonSubject, names: ReadonlySet<string>, scalars: ReadonlySet<ScalarType>): boolean {
  const seen = new Set<DescMessage>();
  const looksInto = (message: DescMessage): boolean => {
    if (names.has(message.typeName)) return true;
    if (seen.has(message)) return false;
    seen.add(message);
    return message.fields.some(fits);
  };
  const fits = ({ scalar, message }: DescField): boolean =>
    message === undefined ? scalar !== undefined && scalars.has(scalar) : looksInto(message);
  return subject.kind === "message" ? looksInto(subject) : fits(subject);
}

const none: ReadonlySet<never> = new Set();

/** Whether a message, or one in it, has a field of one of these types. */
export function holdsScalar(message: DescMessage, scalars: ReadonlySet<ScalarType>): boolean {
  return holds(message, none, scalars);
}

// What ES2026 adds to JSON and Node has: https://tc39.es/proposal-json-parse-with-source/
interface SourceText {
  readonly source?: string;
}
const negativeZero = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("-0");

/** Compiles how a message's JSON is written: −0 stays what it is. */
export function jsonWriter(subject: JsonSubject): StringifyJson {
  if (!holds(subject, dynamic, fractions)) return (json) => JSON.stringify(json);
  return (json) => JSON.stringify(json, (_key, value: unknown) => (Object.is(value, -0) ? negativeZero : value));
}

const manyDigits = /[\s:,[]-?\d{16}/;
const integer = /^-?\d+$/;

function withLargeIntegerAsText(_key: string, value: unknown, { source }: SourceText): unknown {
  const isLarge = typeof value === "number" && !Number.isSafeInteger(value);
  return isLarge && source !== undefined && integer.test(source) ? source : value;
}

/** Integers that a number cannot hold, as text, which every field of 64 bits takes as well. */
function parseExactly(text: string): JsonValue {
  return JSON.parse(text, withLargeIntegerAsText as (key: string, value: unknown) => unknown) as JsonValue;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The exact JSON of one value, with what is any JSON as it was. */
function restored(message: DescMessage, exact: JsonValue, plain: JsonValue): JsonValue {
  if (dynamic.has(message.typeName)) return plain;
  if (!isObject(exact) || !isObject(plain)) return exact;
  for (const field of message.fields) {
    if (field.message === undefined || !holds(field, dynamic, none)) continue;
    for (const name of [field.name, field.jsonName]) {
      if (Object.hasOwn(exact, name)) exact[name] = restoredField(field, exact[name] ?? null, plain[name] ?? null);
    }
  }
  return exact;
}

function restoredField({ fieldKind, message }: DescField, exact: JsonValue, plain: JsonValue): JsonValue {
  if (message === undefined) return exact;
  if (fieldKind === "list" && Array.isArray(exact) && Array.isArray(plain)) {
    return exact.map((item, index) => restored(message, item, plain[index] ?? null));
  }
  if (fieldKind === "map" && isObject(exact) && isObject(plain)) {
    // Entries keep keys like `__proto__` what they are: keys.
    return Object.fromEntries(
      Object.entries(exact).map(([key, value]) => [key, restored(message, value, plain[key] ?? null)]),
    );
  }
  return restored(message, exact, plain);
}

/** Compiles how a message's JSON is read: 64-bit integers that somebody writes as numbers are exact. */
export function jsonReader(subject: JsonSubject): ParseJson {
  if (!holds(subject, none, largeIntegers)) return (text) => JSON.parse(text) as JsonValue;
  const holdsDynamic = holds(subject, dynamic, none);
  return (text) => {
    const plain = JSON.parse(text) as JsonValue;
    if (!manyDigits.test(text)) return plain;
    try {
      const exact = parseExactly(text);
      if (!holdsDynamic) return exact;
      return subject.kind === "message" ? restored(subject, exact, plain) : restoredField(subject, exact, plain);
    } catch (thrown) {
      // Deeper than the stack goes, and so deeper than any message may be: whoever reads the message says so.
      if (thrown instanceof RangeError) return plain;
      throw thrown;
    }
  };
}

/** What the text of a body is about: the whole message, or the one field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}
