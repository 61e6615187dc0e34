// Reads and writes JSON text with exact numbers.
import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";

export const jsonMediaType = "application/json";

// Errors of invalid ProtoJSON, with the place in it.

/** The reason for a field that the message does not have. */
export const noSuchField = "there is no such field";

export class JsonError extends Error {
  readonly reason: string;
  /** The place of the invalid value in JSON names, as `nested.times[2]`; empty for the JSON as a whole. */
  readonly path: string;

  constructor(reason: string, path = "") {
    super(path === "" ? reason : `${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

/** An error inside a field, list or map, as the error outside. @param step a name, or an index or key in brackets */
export function errorWithin(step: string, thrown: unknown): unknown {
  if (!(thrown instanceof JsonError)) return thrown;
  const { reason, path } = thrown;
  return new JsonError(reason, path === "" || path.startsWith("[") ? step + path : `${step}.${path}`);
}

const maxShown = 60;

/** @param expected in words, with an article. */
export function notA(expected: string, json: unknown): JsonError {
  const text = numberText(json) ?? JSON.stringify(json) ?? typeof json;
  return new JsonError(`expected ${expected}, got ${text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}`);
}

// Errors of malformed JSON requests: INVALID_ARGUMENT, with the invalid field if known.

export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** The error of a malformed request without a known field. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** @param thrown by the reader of messages. @param advice added to the error of an unknown field, in brackets; empty for none. */
export function badJson(thrown: unknown, advice = ""): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  if (!(thrown instanceof JsonError) || thrown.path === "") return badRequest(thrown.message, options);
  const { path, reason } = thrown;
  return badField(path, reason === noSuchField && advice !== "" ? `${reason} (${advice})` : reason, options);
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

// Part of ES2026 and of Node.js: https://tc39.es/proposal-json-parse-with-source/
interface SourceText {
  readonly source?: string;
}
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

function withExactIntegers(_key: string, value: unknown, { source }: SourceText): unknown {
  if (source === undefined || !Number.isInteger(value)) return value;
  const isInteger = integerIn(source) !== undefined;
  // No integer of a contract has more than 64 bits, though a double may have.
  return isInteger === Number.isSafeInteger(value) ? value : Symbol(source);
}

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

/** The subject of a JSON text: a whole message, or one field of it. */
export type JsonSubject = DescMessage | DescField;

/** The subject of a body: the whole message, or the field that is the body. */
export function jsonSubject(message: DescMessage, fieldName: string): JsonSubject {
  return message.fields.find(({ name }) => name === fieldName) ?? message;
}

const largeIntegers = new Set([
  ScalarType.INT64,
  ScalarType.SINT64,
  ScalarType.SFIXED64,
  ScalarType.UINT64,
  ScalarType.FIXED64,
]);

/** Whether a message or field can contain 64-bit integers, at any depth. An Any can contain everything. */
function hasLargeIntegers(subject: JsonSubject, seen = new Set<DescMessage>()): boolean {
  const message = subject.kind === "message" ? subject : subject.message;
  if (message === undefined) return subject.kind === "field" && largeIntegers.has(subject.scalar as ScalarType);
  if (message.typeName === "google.protobuf.Any") return true;
  if (seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((field) => hasLargeIntegers(field, seen));
}

/** Compiles a reader of these messages' JSON that keeps 64-bit integers exact. */
export function jsonReader(...subjects: readonly JsonSubject[]): ParseJson {
  const isExact = subjects.some((subject) => hasLargeIntegers(subject));
  return isExact ? parseExactly : (text) => JSON.parse(text) as JsonValue;
}
