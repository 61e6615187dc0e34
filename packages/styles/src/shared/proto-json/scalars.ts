// JSON text with exact numbers, and scalars in ProtoJSON, read and written.
import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { containsType, largeIntegers } from "@roundtrip/contract";

// Numbers as text, as ProtoJSON allows. They must be valid JSON (RFC 8259, section 6): no plus sign, leading zero, space or other base.

const alreadyPlain = /^(?:0|-?[1-9]\d{0,17})$/;
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const maxDigits = 20;

function isNumberText(text: string): boolean {
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

// Part of ES2026 and of Node.js: https://tc39.es/proposal-json-parse-with-source/
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => JsonValue };

/** JSON.stringify writes this as −0. */
export const negativeZero = rawJSON("-0");

/**
 * Reads JSON. A number that is not the integer that a double makes of it, such as 9007199254740993 or 1.00000000000000000001, becomes a symbol of its
 * text, because code that does not expect one refuses it. Throws a SyntaxError for invalid JSON.
 */
export type ParseJson = (text: string) => JsonValue;

/** The text of a number that became a symbol; undefined for any other value. */
export function numberText(json: unknown): string | undefined {
  return typeof json === "symbol" ? json.description : undefined;
}

/** The JSON that JSON.stringify writes as it was received. */
export function asReceived(json: unknown): unknown {
  const text = numberText(json);
  return text === undefined ? json : rawJSON(text);
}

/** Matches every text with a number that a double may change; other texts are not searched. */
const manyDigits = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d)/;

const plainInteger = /^-?[1-9]\d*$/;

/** Whether a double changes a number. No integer of a contract has more than 64 bits, though a double may have. */
function isInexact(number: string): boolean {
  const value = Number(number);
  if (number.length <= maxDigits && plainInteger.test(number)) return !Number.isSafeInteger(value);
  if (!Number.isInteger(value) || !isNumberText(number)) return false;
  return (integerIn(number) !== undefined) !== Number.isSafeInteger(value);
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

function isInNumber(code: number): boolean {
  // Digits and `+`, `-`, `.`, `E`, `e`.
  return (code >= zero && code <= nine) || code === 0x2b || code === minus || code === 0x2e || (code | 0x20) === 0x65;
}

/** Shorter numbers without an exponent are exact. */
const leastInexact = 16;

/** The text with numbers that a double changes as marked strings. JSON.parse itself can tell the text of a number, but takes a microsecond for each. */
function withMarks(text: string, mark: string): string {
  const { length } = text;
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      for (at += 1; at < length && text.charCodeAt(at) !== quote; at += 1)
        if (text.charCodeAt(at) === backslash) at += 1;
      continue;
    }
    if (code !== minus && (code < zero || code > nine)) continue;
    const from = at;
    let hasExponent = false;
    for (; at < length; at += 1) {
      const next = text.charCodeAt(at);
      if (!isInNumber(next)) break;
      if ((next | 0x20) === 0x65) hasExponent = true;
    }
    const number = hasExponent || at - from >= leastInexact ? text.slice(from, at) : "";
    at -= 1;
    if (number === "" || !isInexact(number)) continue;
    pieces.push(text.slice(copied, from), `"${mark}${number}"`);
    copied = at + 1;
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

type Parent = Record<string | number, unknown>;

/** Makes symbols of marked strings, at any depth. */
function restore(value: unknown, mark: string): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? Symbol(value.slice(mark.length)) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (typeof item !== "number") value[index] = restore(item, mark);
    }
    return value;
  }
  for (const key of Object.keys(value)) (value as Parent)[key] = restore((value as Parent)[key], mark);
  return value;
}

export function parseExactly(text: string): JsonValue {
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  let mark = "\uE000";
  while (text.includes(mark)) mark += "\uE000";
  const marked = withMarks(text, mark);
  const json = JSON.parse(marked) as JsonValue;
  if (marked === text) return json;
  try {
    return restore(json, mark) as JsonValue;
  } catch (thrown) {
    // Deeper than the call stack allows: the message reader reports it.
    if (thrown instanceof RangeError) return JSON.parse(text) as JsonValue;
    throw thrown;
  }
}

/** The subject of a JSON text: a whole message, or one field of it. */
export type JsonSubject = DescMessage | DescField;

/** The subject of a body: the whole message, or the field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}

function isLargeInteger({ scalar }: DescField): boolean {
  return largeIntegers.has(scalar as ScalarType);
}

/** An Any can contain everything. */
const containsLargeIntegers = containsType(
  ({ typeName, fields }) => typeName === "google.protobuf.Any" || fields.some(isLargeInteger),
);

/** Whether a message or field can contain 64-bit integers, at any depth. */
function hasLargeIntegers(subject: JsonSubject): boolean {
  const message = subject.kind === "message" ? subject : subject.message;
  if (message !== undefined) return containsLargeIntegers(message);
  return subject.kind === "field" && isLargeInteger(subject);
}

/** Compiles a reader of these messages' JSON that keeps 64-bit integers exact. */
export function jsonReader(...subjects: readonly JsonSubject[]): ParseJson {
  const isExact = subjects.some((subject) => hasLargeIntegers(subject));
  return isExact ? parseExactly : (text) => JSON.parse(text) as JsonValue;
}

// Kinds of scalar types: types of one kind have the same values and ProtoJSON, and differ in the binary format only.

export type ScalarKind = "bool" | "string" | "bytes" | "double" | "float" | "int32" | "uint32" | "int64" | "uint64";

const kinds: Readonly<Record<ScalarType, ScalarKind>> = {
  [ScalarType.BOOL]: "bool",
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "bytes",
  [ScalarType.DOUBLE]: "double",
  [ScalarType.FLOAT]: "float",
  [ScalarType.INT32]: "int32",
  [ScalarType.SINT32]: "int32",
  [ScalarType.SFIXED32]: "int32",
  [ScalarType.UINT32]: "uint32",
  [ScalarType.FIXED32]: "uint32",
  [ScalarType.INT64]: "int64",
  [ScalarType.SINT64]: "int64",
  [ScalarType.SFIXED64]: "int64",
  [ScalarType.UINT64]: "uint64",
  [ScalarType.FIXED64]: "uint64",
};

export function kindOf(scalar: ScalarType): ScalarKind {
  return kinds[scalar];
}

// Base64, standard or URL-safe, with or without padding (RFC 4648, sections 4 and 5). Node.js takes 8 µs for 64 KiB, protobuf-es nearly 1 ms.

/** Encodes bytes as base64, in the standard alphabet with padding. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The number of bytes in base64 text; undefined if the length or the padding is invalid. */
function lengthOfBytes(text: string): number | undefined {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  const isWhole = padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? Math.floor(((text.length - padding) * 3) / 4) : undefined;
}

/** Decodes base64 into new memory; undefined for invalid text. The unused bits of the last letter may have any value, as in ProtoJSON's own suite. */
export function bytesOfText(text: string): Uint8Array | undefined {
  const length = lengthOfBytes(text);
  // Node.js reads the lower byte of a letter beyond ASCII as another letter.
  if (length === undefined || Buffer.byteLength(text) !== text.length) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Node.js skips invalid letters and stops at padding; the result is then shorter.
  if (bytes.length !== length) return undefined;
  // Small buffers share a pool, and would keep all of it in memory.
  return length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

// Times and durations as text. Date.parse would read an invalid day as the next one.

const time = /^\d{4}-(\d\d)-(\d\d)T(\d\d):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;
const duration = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/;
const onlyZeros = /^0*$/;

const daysIn = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDayOf(year: number, month: number, day: number): boolean {
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || (day >= 1 && day <= (daysIn[month - 1] ?? 0));
}

/** Whether a text is an RFC 3339 time with an existing day and hour. Does not check the range of years. */
export function isTimeText(text: string): boolean {
  const [matched, month, day, hour, offsetHour = "0", offsetMinute = "0"] = time.exec(text) ?? [];
  if (matched === undefined) return false;
  return (
    isDayOf(Number(text.slice(0, 4)), Number(month), Number(day)) &&
    Number(hour) < 24 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  );
}

/** Normalises a duration: a zero loses its sign. Undefined for invalid text. */
export function durationText(text: string): string | undefined {
  const [matched, sign, seconds, fraction = ""] = duration.exec(text) ?? [];
  if (matched === undefined || seconds === undefined) return undefined;
  if (sign === "" || !onlyZeros.test(fraction)) return text;
  return onlyZeros.test(seconds) ? "0s" : `-${seconds}s`;
}

/** A number as text: received as text, or with more digits than a double has. */
function digitsIn(json: unknown): string | undefined {
  return typeof json === "string" ? json : numberText(json);
}

type ScalarValue = boolean | string | number | bigint | Uint8Array;

export interface ScalarJson {
  /** In words, with an article. */
  readonly expected: string;
  /** The value that protobuf-es stores; undefined for invalid JSON. */
  readonly read: (json: unknown) => ScalarValue | undefined;
  /** Undefined for a value of another type. */
  readonly write: (value: unknown) => JsonValue | undefined;
}

/** @param clamped the 32-bit integer that JavaScript makes of a number */
function smallInteger(expected: string, clamped: (value: number) => number): ScalarJson {
  return {
    expected,
    read(json) {
      const text = digitsIn(json);
      const value = text === undefined ? json : Number(integerIn(text));
      // −0 equals 0, and is read as 0.
      return typeof value === "number" && clamped(value) === value ? clamped(value) : undefined;
    },
    write: (value) => (typeof value === "number" ? value : undefined),
  };
}

function anyInteger(json: unknown): bigint | undefined {
  const text = digitsIn(json);
  // A number beyond the safe ones has lost digits already.
  const digits = text === undefined ? (Number.isSafeInteger(json) ? Number(json) : undefined) : integerIn(text);
  return digits === undefined ? undefined : BigInt(digits);
}

/** @param clamped the 64-bit integer that JavaScript makes of a bigint */
function largeInteger(expected: string, clamped: (value: bigint) => bigint): ScalarJson {
  return {
    expected,
    read(json) {
      const value = anyInteger(json);
      return value !== undefined && clamped(value) === value ? value : undefined;
    },
    write: (value) =>
      typeof value === "bigint" || typeof value === "string" || Number.isInteger(value) ? String(value) : undefined,
  };
}

const notFinite: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity"]);

const leastNormalFloat = 2 ** -126;

/** The double whose text is the shortest that is read as this float: 2.9, not 2.9000000953674316. Only 2 ** -96 gets a digit more than it needs. */
export function shortFloat(value: number): number {
  const float = Math.fround(value);
  // JavaScript writes integers with all their digits, up to 10 ** 21: others would make no shorter text.
  if ((Number.isInteger(float) && Math.abs(float) < 1e21) || !Number.isFinite(float)) return value;
  // All decimals of 6 digits are different floats, except among the smallest; 9 digits identify every float.
  let digits = Math.abs(float) < leastNormalFloat ? 1 : 6;
  let short = Number(float.toPrecision(digits));
  while (Math.fround(short) !== float) short = Number(float.toPrecision((digits += 1)));
  return short;
}

/**
 * @param nearest rounds a double to the type. A float is the one nearest to the decimal text, as in gRPC's binary form.
 * @param shortest the double with the text that is written
 */
function fractional(
  expected: string,
  nearest: (value: number) => number,
  shortest: (value: number) => number,
): ScalarJson {
  return {
    expected,
    read(json) {
      if (notFinite.has(json)) return Number(json);
      const text = digitsIn(json);
      const isNumber = text === undefined ? typeof json === "number" : isNumberText(text);
      const value = isNumber ? nearest(Number(text ?? json)) : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    },
    write(value) {
      if (typeof value !== "number") return undefined;
      if (Number.isFinite(value)) return Object.is(value, -0) ? negativeZero : shortest(value);
      return String(value);
    },
  };
}

const asItIs = (value: number): number => value;

const scalars: Readonly<Record<ScalarKind, ScalarJson>> = {
  bool: {
    expected: "true or false",
    read: (json) => (typeof json === "boolean" ? json : undefined),
    write: (value) => (typeof value === "boolean" ? value : undefined),
  },
  string: {
    expected: "text in Unicode",
    read: (json) => (typeof json === "string" && json.isWellFormed() ? json : undefined),
    write: (value) => (typeof value === "string" ? value : undefined),
  },
  bytes: {
    expected: "base64",
    read: (json) => (typeof json === "string" ? bytesOfText(json) : undefined),
    write: (value) => (value instanceof Uint8Array ? textOfBytes(value) : undefined),
  },
  double: fractional("a number", asItIs, asItIs),
  float: fractional("a float", Math.fround, shortFloat),
  int32: smallInteger("an integer of 32 bits", (value) => value | 0),
  uint32: smallInteger("an integer from 0 to 4294967295", (value) => value >>> 0),
  int64: largeInteger("an integer of 64 bits", (value) => BigInt.asIntN(64, value)),
  uint64: largeInteger("an integer of 64 bits without a sign", (value) => BigInt.asUintN(64, value)),
};

export function scalarJson(scalar: ScalarType): ScalarJson {
  return scalars[kindOf(scalar)];
}

const integerKey = /^-?(?:0|[1-9]\d*)$/;
const truths: ReadonlySet<string> = new Set(["true", "false"]);

/** The key of a map as protobuf-es stores it; undefined for invalid text. */
export function keyReader(scalar: ScalarType): (key: string) => string | undefined {
  const kind = kindOf(scalar);
  if (kind === "string") return (key) => (key.isWellFormed() ? key : undefined);
  if (kind === "bool") return (key) => (truths.has(key) ? key : undefined);
  const { read } = scalars[kind];
  return (key) => (integerKey.test(key) ? read(key)?.toString() : undefined);
}
