// JSON text for ProtoJSON, where JavaScript's own reader and writer change numbers: integers beyond 2^53, fractions that a double rounds
// to an integer, and negative zero. Messages without such numbers cost nothing extra.
import { ScalarType, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { anyMessage, canContain, type JsonSubject } from "./can-contain.ts";
import { integerIn } from "./number-text.ts";
import { roundedNumber } from "./spelling.ts";

/** Reads JSON text. Throws a SyntaxError for invalid JSON. */
export type ParseJson = (text: string) => JsonValue;

/** Writes JSON text. */
export type StringifyJson = (json: JsonValue) => string;

/** Types whose JSON is any JSON, where a number is a double. */
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

// Added to JSON by ES2026, and supported by Node.js: https://tc39.es/proposal-json-parse-with-source/
interface SourceText {
  readonly source?: string;
}
/** What JSON.stringify writes as −0. */
export const negativeZero = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("-0");

/** Compiles a writer of a message's JSON that keeps −0. */
export function jsonWriter(subject: JsonSubject): StringifyJson {
  if (!canContain(subject, dynamic, fractions)) return (json) => JSON.stringify(json);
  return (json) => JSON.stringify(json, (_key, value: unknown) => (Object.is(value, -0) ? negativeZero : value));
}

/** Every text with a number that a double may change matches this; other texts are not searched. */
const manyDigits = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d)/;

function withExactIntegers(_key: string, value: unknown, { source }: SourceText): unknown {
  if (source === undefined || !Number.isInteger(value)) return value;
  const digits = integerIn(source);
  if (Number.isSafeInteger(value)) return digits === undefined ? roundedNumber(source) : value;
  // No integer of a contract is larger than this, though a double may be.
  return digits === undefined ? value : BigInt(digits);
}

/**
 * Reads JSON. Integers that a double would change become bigints, and fractions that a double would round to integers become symbols. The reader of
 * the message interprets them.
 */
function parseExactly(text: string): JsonValue {
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  try {
    return JSON.parse(text, withExactIntegers as (key: string, value: unknown) => unknown) as JsonValue;
  } catch (thrown) {
    // Deeper than the call stack, and so deeper than any message may be: the reader of the message reports it.
    if (thrown instanceof RangeError) return JSON.parse(text) as JsonValue;
    throw thrown;
  }
}

/** Compiles a reader of these messages' JSON: 64-bit integers written as numbers stay exact, and no fraction becomes an integer. */
export function jsonReader(...subjects: readonly JsonSubject[]): ParseJson {
  const isExact = subjects.some((subject) => canContain(subject, anyMessage, largeIntegers));
  return isExact ? parseExactly : (text) => JSON.parse(text) as JsonValue;
}

/** The subject of a body: the whole message, or the one field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}
