// JSON text for ProtoJSON, where JavaScript's own reader and writer change numbers: integers beyond 2^53, fractions that a double rounds
// to an integer, and negative zero. Messages that hold no such numbers pay nothing for those that do.
import { ScalarType, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { anyMessage, holds, type JsonSubject } from "./holds.ts";
import { integerIn } from "./number-text.ts";
import { roundedNumber } from "./spelling.ts";

/** Reads JSON text. Throws a SyntaxError for what is none. */
export type ParseJson = (text: string) => JsonValue;

/** Writes JSON text. */
export type StringifyJson = (json: JsonValue) => string;

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

/** What a number whose digits a double may lose has in its text; other texts are not looked through. */
const manyDigits = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d)/;

function withExactIntegers(_key: string, value: unknown, { source }: SourceText): unknown {
  if (source === undefined || !Number.isInteger(value)) return value;
  const digits = integerIn(source);
  if (Number.isSafeInteger(value)) return digits === undefined ? roundedNumber(source) : value;
  // A double may hold larger integers than this, and no integer of a contract is one.
  return digits === undefined ? value : BigInt(digits);
}

/**
 * Reads JSON; integers that a number cannot hold become bigints, and fractions that a number would make integers become symbols. Whoever
 * reads the message knows what to make of them.
 */
function parseExactly(text: string): JsonValue {
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  try {
    return JSON.parse(text, withExactIntegers as (key: string, value: unknown) => unknown) as JsonValue;
  } catch (thrown) {
    // Deeper than the stack goes, and so deeper than any message may be: whoever reads the message says so.
    if (thrown instanceof RangeError) return JSON.parse(text) as JsonValue;
    throw thrown;
  }
}

/** Compiles how JSON of these messages is read: 64-bit integers that somebody writes as numbers are exact, and no fraction is one. */
export function jsonReader(...subjects: readonly JsonSubject[]): ParseJson {
  const isExact = subjects.some((subject) => holds(subject, anyMessage, largeIntegers));
  return isExact ? parseExactly : (text) => JSON.parse(text) as JsonValue;
}

/** What the text of a body is about: the whole message, or the one field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}
