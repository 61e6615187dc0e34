// Scalars in ProtoJSON: what is accepted, and why not.
import { type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { integerIn, invalidSpelling, isNumberText, nearestDouble, type ReadSpelling } from "./json-text.ts";

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

// Checks the spelling of scalar values, alone and as map keys.

/** No check: protobuf-es reads or refuses the value correctly. */
function asItIs(json: unknown): JsonValue {
  return json as JsonValue;
}

function small(json: unknown): JsonValue {
  // Integers have no −0.
  if (typeof json === "number") return json + 0;
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return invalidSpelling("an integer", json);
  if (typeof json !== "string") return asItIs(json);
  return Number(integerIn(json) ?? invalidSpelling("an integer", json));
}

function large(json: unknown): JsonValue {
  if (typeof json === "string") return integerIn(json) ?? invalidSpelling("an integer of 64 bits", json);
  if (typeof json === "bigint") return String(json);
  if (typeof json === "symbol") return invalidSpelling("an integer of 64 bits", json);
  // A larger number has lost digits already.
  if (typeof json === "number" && !Number.isSafeInteger(json)) return invalidSpelling("an integer of 64 bits", json);
  return asItIs(json);
}

const notFinite: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

function double(json: unknown): JsonValue {
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return nearestDouble(json);
  if (typeof json !== "string" || isNumberText(json) || notFinite.has(json)) return asItIs(json);
  return invalidSpelling("a number", json);
}

function float(json: unknown): JsonValue {
  const checked = double(json);
  if (typeof checked === "string" && notFinite.has(checked)) return checked;
  if (typeof checked !== "number" && typeof checked !== "string") return checked;
  // A float has 32 bits, a JavaScript number 64: use the float nearest to the decimal text.
  const nearest = Math.fround(Number(checked));
  return Number.isFinite(nearest) ? nearest : invalidSpelling("a float", json);
}

function bytesSpelling(json: unknown): JsonValue {
  if (typeof json !== "string") return asItIs(json);
  // protobuf-es accepts bytes here, and would decode text letter by letter.
  return (bytesOfText(json) ?? invalidSpelling("base64", json)) as unknown as JsonValue;
}

const spellings: Readonly<Partial<Record<ScalarKind, ReadSpelling>>> = {
  bytes: bytesSpelling,
  double,
  float,
  int32: small,
  uint32: small,
  int64: large,
  uint64: large,
};

/** The check of a scalar type; undefined if protobuf-es reads the type strictly. */
export function scalarSpelling(scalar: ScalarType): ReadSpelling | undefined {
  return spellings[kindOf(scalar)];
}

const integerKey = /^-?(?:0|[1-9]\d*)$/;

/** The check of map keys, which throws for an invalid one; undefined if protobuf-es checks them. */
export function keyCheck(scalar: ScalarType): ((key: string) => void) | undefined {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BOOL) return undefined;
  return (key) => {
    if (!integerKey.test(key)) invalidSpelling("an integer as a key", key);
  };
}
