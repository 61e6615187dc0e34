// Reads and writes JSON text with exact numbers.
import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";

export const jsonMediaType = "application/json";

// Spelling checks: validate received JSON, and convert it for protobuf-es.

/**
 * Checks the spelling of a value, and returns it in a form that protobuf-es reads correctly. Changes objects and arrays in place. Throws an Error for
 * a spelling that is invalid in ProtoJSON. protobuf-es checks everything else.
 * @param json may contain bigints for integers that a double cannot represent, and {@link roundedNumber}.
 * @param depth the nesting of the value.
 */
export type ReadSpelling = (json: unknown, depth: number) => JsonValue;

/** Deeper than protobuf-es reads, so that it refuses the JSON and the recursion ends. */
export const maxDepth = 200;

/**
 * A fraction whose nearest double is an integer, such as 1.00000000000000000001: valid as a double, invalid as an integer. A symbol, because code
 * that does not expect one refuses it.
 */
function roundedNumber(text: string): symbol {
  return Symbol(text);
}

/** The double nearest to the written number. */
export function nearestDouble(rounded: symbol): number {
  return Number(rounded.description);
}

function writtenAs(json: unknown): string {
  if (typeof json === "bigint") return String(json);
  if (typeof json === "symbol") return json.description ?? "";
  return JSON.stringify(json) ?? typeof json;
}

/** Throws for an invalid value. @param expected in words, with an article. */
export function invalidSpelling(expected: string, json: unknown): never {
  const text = writtenAs(json);
  throw new Error(`expected ${expected}, got ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
}

// Numbers as text, as ProtoJSON allows. They must be valid JSON (RFC 8259, section 6): no plus sign, leading zero, space or other base.

const alreadyPlain = /^(?:0|-?[1-9]\d{0,17})$/;
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const maxDigits = 20;

export function isNumberText(text: string): boolean {
  return jsonNumber.test(text);
}

/** The exact digits of an integer: `1e3` and `1000.0` are `1000`. Undefined for other text, or above 64 bits. Takes linear time. */
export function integerIn(text: string): string | undefined {
  if (alreadyPlain.test(text)) return text;
  const [, sign, whole, fraction = "", exponent = "0"] = jsonNumber.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const zeros = Number(exponent) - fraction.length + digits.length - end;
  if (zeros < 0 || end - start + zeros > maxDigits) return undefined;
  return `${sign}${digits.slice(start, end)}${"0".repeat(zeros)}`;
}

// Whether messages of a type can contain some type of value, at any depth. Computed once per type.

/** The subject of a JSON text: a whole message, or one field of it. */
export type JsonSubject = DescMessage | DescField;

/** An Any can contain any message, and so any value. */
export const anyMessage: ReadonlySet<string> = new Set(["google.protobuf.Any"]);

/** Whether the subject can contain one of these messages, by name, or scalars, by type. */
export function canContain(
  subject: JsonSubject,
  names: ReadonlySet<string>,
  scalars: ReadonlySet<ScalarType>,
): boolean {
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

// Keeps numbers of ProtoJSON that JavaScript's JSON would change: integers beyond 2^53, fractions that a double rounds to an integer, and −0.

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
