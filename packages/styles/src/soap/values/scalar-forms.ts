// Scalars and enums as text in XML: their types in XML Schema, reading and writing.
import type { ScalarType } from "@bufbuild/protobuf";
import { bytesOfText, textOfBytes, kindOf, type ScalarKind } from "../../shared/proto-json/scalars.ts";
import { ElementError, escaped } from "../xml.ts";

// Values that are the text of an element: XML Schema's simple types.

export interface TextForm {
  /** The type's name in XML Schema, for example `int`. */
  readonly type: string;
  /** The text, escaped. Throws an Error for a value of another type. */
  readonly write: (value: unknown) => string;
  /** Throws an ElementError for text that is not of the type. */
  readonly read: (text: string) => unknown;
}

const longestShown = 60;

export function unreadable(text: string, type: string): ElementError {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return new ElementError(`cannot be ${JSON.stringify(shown)}: it is an ${type}`);
}

export function unwritable(value: unknown, type: string): Error {
  const shown = typeof value === "number" || typeof value === "string" ? JSON.stringify(value) : typeof value;
  return new Error(`expected an ${type}, got ${shown}`);
}

/** Removes the white space around a value, as every simple type except text does. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

// The scalar types of protobuf as simple types of XML Schema.

const integerText = /^([+-]?)0*(\d+)$/;
const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** More digits than 64 bits have; longer text is not converted, which would take quadratic time. */
const mostDigits = 20;

interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

/** The exact integer of a text. Throws an ElementError for other text, and outside the range. */
function integerIn(text: string, type: string, { least, most }: Range): bigint {
  const [, sign, digits] = integerText.exec(trimmed(text)) ?? [];
  if (digits === undefined || digits.length > mostDigits) throw unreadable(text, `xs:${type}`);
  const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
  if (value < least || value > most) throw unreadable(text, `xs:${type}`);
  return value;
}

function smallInteger(type: string, least: number, most: number): TextForm {
  const range = { least: BigInt(least), most: BigInt(most) };
  return {
    type,
    write(value) {
      if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
        throw unwritable(value, `xs:${type}`);
      // −0 is 0.
      return String((value as number) + 0);
    },
    read: (text) => Number(integerIn(text, type, range)),
  };
}

function largeInteger(type: string, range: Range): TextForm {
  return {
    type,
    write(value) {
      // Fields with `jstype = JS_STRING` are text.
      const isNumeric = typeof value === "bigint" || Number.isInteger(value) || typeof value === "string";
      const text = isNumeric ? String(value) : "";
      return String(integerIn(text, type, range));
    },
    read: (text) => integerIn(text, type, range),
  };
}

const namedNumbers: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["INF", Number.POSITIVE_INFINITY],
  ["-INF", Number.NEGATIVE_INFINITY],
]);

function numberText(value: unknown, type: string): string {
  if (typeof value !== "number") throw unwritable(value, `xs:${type}`);
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}

/** @param nearest rounds a double to the type. */
function fraction(type: string, nearest: (value: number) => number): TextForm {
  return {
    type,
    write(value) {
      const text = numberText(value, type);
      if (Number.isFinite(value) && !Number.isFinite(nearest(value as number))) throw unwritable(value, `xs:${type}`);
      return text;
    },
    read(text) {
      const own = trimmed(text);
      const named = namedNumbers.get(own);
      if (named !== undefined) return named;
      const value = decimalText.test(own) ? nearest(Number(own)) : Number.NaN;
      // XML Schema would read a number beyond the range as infinite, which nobody means.
      if (!Number.isFinite(value)) throw unreadable(text, `xs:${type}`);
      return value;
    },
  };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

const spaces = /[ \t\r\n]/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const forms: Readonly<Record<ScalarKind, TextForm>> = {
  bool: {
    type: "boolean",
    write(value) {
      if (typeof value !== "boolean") throw unwritable(value, "xs:boolean");
      return String(value);
    },
    read(text) {
      const value = truths.get(trimmed(text));
      if (value === undefined) throw unreadable(text, "xs:boolean");
      return value;
    },
  },
  string: {
    type: "string",
    write(value) {
      if (typeof value !== "string") throw unwritable(value, "xs:string");
      const text = escaped(value);
      if (text === undefined)
        throw new Error("a text has a character that XML 1.0 cannot carry, or half a surrogate pair");
      return text;
    },
    read: (text) => text,
  },
  bytes: {
    type: "base64Binary",
    write(value) {
      if (!(value instanceof Uint8Array)) throw unwritable(value, "xs:base64Binary");
      return textOfBytes(value);
    },
    read(text) {
      const whole = spaces.test(text) ? text.replaceAll(/[ \t\r\n]+/g, "") : text;
      const bytes = whole.length % 4 === 0 && base64.test(whole) ? bytesOfText(whole) : undefined;
      if (bytes === undefined) throw unreadable(text, "xs:base64Binary");
      return bytes;
    },
  },
  double: fraction("double", (value) => value),
  float: fraction("float", Math.fround),
  int32: smallInteger("int", -(2 ** 31), 2 ** 31 - 1),
  uint32: smallInteger("unsignedInt", 0, 2 ** 32 - 1),
  int64: largeInteger("long", { least: -(2n ** 63n), most: 2n ** 63n - 1n }),
  uint64: largeInteger("unsignedLong", { least: 0n, most: 2n ** 64n - 1n }),
};

export function scalarForm(scalar: ScalarType): TextForm {
  return forms[kindOf(scalar)];
}

/** A 64-bit integer whose field is text in JavaScript (`jstype = JS_STRING`). */
export function inText(form: TextForm): TextForm {
  return { ...form, read: (text) => String(form.read(text)) };
}
