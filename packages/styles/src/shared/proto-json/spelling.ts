// The type of a spelling check: it validates received JSON and converts it to the spelling that protobuf-es reads correctly.
import type { JsonValue } from "@bufbuild/protobuf";

/**
 * Checks the spelling of a value. Returns it as protobuf-es reads it correctly, with objects and arrays changed in place. Throws an Error for a
 * spelling that is invalid in ProtoJSON. protobuf-es checks everything else.
 * @param json may contain a bigint for an integer that no double represents, and a {@link roundedNumber}
 * @param depth the number of values around it
 */
export type ReadSpelling = (json: unknown, depth: number) => JsonValue;

/** Deeper than protobuf-es reads: it refuses such JSON, and the recursion ends. */
export const maxDepth = 200;

/**
 * A fraction whose nearest double is an integer, such as 1.00000000000000000001: valid for a double, invalid for an integer. It is a symbol,
 * which code that does not expect it accepts as no type of value.
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

/** Throws for an invalid value. @param expected in words, with an article */
export function invalidSpelling(expected: string, json: unknown): never {
  const text = writtenAs(json);
  throw new Error(`expected ${expected}, got ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
}
