// Keeps numbers of ProtoJSON that JavaScript's JSON would change: integers beyond 2^53, fractions that a double rounds to an integer, and −0.
import { ScalarType, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { anyMessage, canContain, type JsonSubject } from "./can-contain.ts";
import { integerIn } from "./number-text.ts";
import { roundedNumber } from "./spelling.ts";

/** Throws a SyntaxError for invalid JSON. */
export type ParseJson = (text: string) => JsonValue;

export type StringifyJson = (json: JsonValue) => string;

/** Types that can contain any JSON, with doubles as numbers. */
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

// Part of ES2026 and of Node.js: https://tc39.es/proposal-json-parse-with-source/
interface SourceText {
  readonly source?: string;
}
/** JSON.stringify writes this as −0. */
export const negativeZero = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("-0");

/** Compiles a writer of a message's JSON that keeps −0. */
export function jsonWriter(subject: JsonSubject): StringifyJson {
  if (!canContain(subject, dynamic, fractions)) return (json) => JSON.stringify(json);
  return (json) => JSON.stringify(json, (_key, value: unknown) => (Object.is(value, -0) ? negativeZero : value));
}

/** Matches every text with a number that a double may change; other texts are not searched. */
const manyDigits = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d)/;

function withExactIntegers(_key: string, value: unknown, { source }: SourceText): unknown {
  if (source === undefined || !Number.isInteger(value)) return value;
  const digits = integerIn(source);
  if (Number.isSafeInteger(value)) return digits === undefined ? roundedNumber(source) : value;
  // No integer of a contract is larger, though a double may be.
  return digits === undefined ? value : BigInt(digits);
}

/** Reads JSON. Integers that a double would change become bigints, and fractions that it would round to integers become symbols. */
export function parseExactly(text: string): JsonValue {
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  try {
    return JSON.parse(text, withExactIntegers as (key: string, value: unknown) => unknown) as JsonValue;
  } catch (thrown) {
    // Deeper than the call stack allows: the message reader reports it.
    if (thrown instanceof RangeError) return JSON.parse(text) as JsonValue;
    throw thrown;
  }
}

/** Compiles a reader of these messages' JSON. Keeps 64-bit integers written as numbers exact, and never turns a fraction into an integer. */
export function jsonReader(...subjects: readonly JsonSubject[]): ParseJson {
  const isExact = subjects.some((subject) => canContain(subject, anyMessage, largeIntegers));
  return isExact ? parseExactly : (text) => JSON.parse(text) as JsonValue;
}

/** The subject of a body: the whole message, or the field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}
