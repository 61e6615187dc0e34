// Spelling checks: validate received JSON, and convert it for protobuf-es.
import type { JsonValue } from "@bufbuild/protobuf";

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
export function roundedNumber(text: string): symbol {
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
