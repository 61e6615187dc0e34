// Values that are the text of an element: XML Schema's simple types.
import { ElementError } from "../xml/element-error.ts";

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
