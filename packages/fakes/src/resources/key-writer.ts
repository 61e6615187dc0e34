// Writes keys into messages, converted to the type of each field.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { integerRange } from "../answers/values/number-value.ts";
import type { Key, KeyPart, Resource } from "./resource.ts";

const unsigned32 = 2n ** 32n - 1n;

/** A part of a key as reflection represents it. */
export function valueOfPart(scalar: ScalarType, text: string): string | number | bigint {
  const range = integerRange(scalar);
  if (range === undefined) return text;
  return range.high > unsigned32 ? BigInt(text) : Number(text);
}

export function writePart(desc: DescMessage, field: DescField, message: Message, text: string): void {
  reflect(desc, message, false).set(field, valueOfPart(field.scalar ?? ScalarType.STRING, text));
}

/** The message in a field of another one, created if unset. */
export function innerOf(message: Message, field: DescField & { fieldKind: "message" }): Message {
  const values = reflect(field.parent, message, false);
  if (!values.isSet(field)) values.set(field, reflect(field.message, undefined, false));
  return values.get(field).message;
}

/** Writes a part of a key into the resource, if the resource has a field for it. */
function writeOwnPart({ field, within }: KeyPart, message: Message, text: string): void {
  if (field === undefined) return;
  writePart(field.parent, field, within === undefined ? message : innerOf(message, within), text);
}

/** Writes all parts of a key that the resource itself has. */
export function writeKey({ key: parts }: Resource, message: Message, key: Key): void {
  for (const [at, part] of parts.entries()) {
    const text = key[at];
    if (text !== undefined) writeOwnPart(part, message, text);
  }
}
