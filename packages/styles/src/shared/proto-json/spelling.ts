// What this room passes around: JSON as somebody spelled it, checked, and made into the one spelling that protobuf-es reads right.
import type { JsonValue } from "@bufbuild/protobuf";

/**
 * Checks how a value is spelled. Gives it back as protobuf-es reads it right, objects and arrays changed in place; throws an Error for a
 * spelling that ProtoJSON does not have. What is wrong with it in other ways is left to protobuf-es.
 * @param json may hold a bigint where the text had an integer that no number holds, and a {@link roundedNumber}
 * @param depth how many values are around it
 */
export type ReadSpelling = (json: unknown, depth: number) => JsonValue;

/** Deeper than protobuf-es goes: whoever comes here is refused by it, and the stack of calls has an end. */
export const maxDepth = 200;

/**
 * A number of JSON that is no integer and whose double is one, as 1.00000000000000000001: a fraction may be rounded, an integer may not.
 * It is a symbol because whoever is not told of it takes that for no value of any type.
 */
export function roundedNumber(text: string): symbol {
  return Symbol(text);
}

/** The double nearest to what was written. */
export function nearestDouble(rounded: symbol): number {
  return Number(rounded.description);
}

function writtenAs(json: unknown): string {
  if (typeof json === "bigint") return String(json);
  if (typeof json === "symbol") return json.description ?? "";
  return JSON.stringify(json) ?? typeof json;
}

/** Throws for a value that is not what it should be. @param expected in words, with its article */
export function notSpelled(expected: string, json: unknown): never {
  const text = writtenAs(json);
  throw new Error(`expected ${expected}, got ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
}
