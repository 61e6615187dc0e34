// Scalars and enums as text in XML: their types in XML Schema, reading and writing.
import { ScalarType } from "@bufbuild/protobuf";
import { shortText } from "@roundtrip/contract";
import {
  bytesOfText,
  textOfBytes,
  kindOf,
  scalarJson,
  type ScalarJson,
  type ScalarKind,
} from "../../shared/proto-json/scalars.ts";
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

const maxShown = 60;

export function unreadable(text: string, type: string): ElementError {
  return new ElementError(`cannot be ${JSON.stringify(shortText(text, maxShown))}: it is an ${type}`);
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

/** Integers are those of ProtoJSON, with a plus sign and leading zeros. */
function integer(type: string, { read, write }: ScalarJson): TextForm {
  return {
    type,
    write(value) {
      const whole = write(value) === undefined ? undefined : read(String(value));
      if (whole === undefined) throw unwritable(value, `xs:${type}`);
      return String(whole);
    },
    read(text) {
      const [, sign, digits] = integerText.exec(trimmed(text)) ?? [];
      const value = digits === undefined ? undefined : read(sign === "-" ? `-${digits}` : digits);
      if (value === undefined) throw unreadable(text, `xs:${type}`);
      return value;
    },
  };
}

const namedNumbers: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["INF", Number.POSITIVE_INFINITY],
  ["-INF", Number.NEGATIVE_INFINITY],
]);

/** A number beyond the range is refused; XML Schema would read it as infinite, which nobody means. */
function fraction(type: string, { read, write }: ScalarJson): TextForm {
  return {
    type,
    write(value) {
      if (typeof value !== "number") throw unwritable(value, `xs:${type}`);
      for (const [name, number] of namedNumbers) if (Object.is(value, number)) return name;
      if (read(value) === undefined) throw unwritable(value, `xs:${type}`);
      return JSON.stringify(write(value));
    },
    read(text) {
      const own = trimmed(text);
      const value = namedNumbers.get(own) ?? (decimalText.test(own) ? read(Number(own)) : undefined);
      if (value === undefined) throw unreadable(text, `xs:${type}`);
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
  double: fraction("double", scalarJson(ScalarType.DOUBLE)),
  float: fraction("float", scalarJson(ScalarType.FLOAT)),
  int32: integer("int", scalarJson(ScalarType.INT32)),
  uint32: integer("unsignedInt", scalarJson(ScalarType.UINT32)),
  int64: integer("long", scalarJson(ScalarType.INT64)),
  uint64: integer("unsignedLong", scalarJson(ScalarType.UINT64)),
};

export function scalarForm(scalar: ScalarType): TextForm {
  return forms[kindOf(scalar)];
}

/** A 64-bit integer whose field is text in JavaScript (`jstype = JS_STRING`). */
export function inText(form: TextForm): TextForm {
  return { ...form, read: (text) => String(form.read(text)) };
}
