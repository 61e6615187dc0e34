// Puts keys into messages: whatever type a part has there.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { integerRange } from "../answers/values/number-value.ts";
import type { Key, Resource } from "./resource.ts";

const unsigned32 = 2n ** 32n - 1n;

/** A part of a key as reflection has it. */
export function valueOfPart(scalar: ScalarType, text: string): string | number | bigint {
  const range = integerRange(scalar);
  if (range === undefined) return text;
  return range.high > unsigned32 ? BigInt(text) : Number(text);
}

/** Writes one part of a key, given as text, to a field of a message. */
export function writePart(desc: DescMessage, field: DescField, message: Message, text: string): void {
  reflect(desc, message, false).set(field, valueOfPart(field.scalar ?? ScalarType.STRING, text));
}

/** Writes what a resource itself has of its key. */
export function writeKey({ message: desc, key: parts }: Resource, message: Message, key: Key): void {
  for (const [at, { field }] of parts.entries()) {
    const text = key[at];
    if (field !== undefined && text !== undefined) writePart(desc, field, message, text);
  }
}
