// Converts between messages of generated code and of a compiled contract. Usually they are the same objects. They differ where names
// collide, because a compiled contract then renames properties, and where one of the two versions is older and has fewer fields.
import { fromBinary, toBinary, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";

/** Converts a message of one descriptor to the other; returns the same object if both have the same properties. */
export type Conversion = (message: Message) => Message;

const same: Conversion = (message) => message;

function isSameField(one: DescField, other: DescField | undefined): boolean {
  return (
    one.localName === other?.localName &&
    one.oneof?.localName === other.oneof?.localName &&
    one.fieldKind === other.fieldKind &&
    one.scalar === other.scalar &&
    one.message?.typeName === other.message?.typeName &&
    one.enum?.typeName === other.enum?.typeName &&
    ("longAsString" in one && one.longAsString) === ("longAsString" in other && other.longAsString)
  );
}

/** @param seen types that are compared already: messages can contain themselves. */
function isBuiltAlike(one: DescMessage, other: DescMessage, seen: Set<string>): boolean {
  if (one === other || seen.has(one.typeName)) return true;
  seen.add(one.typeName);
  const byNumber = new Map(other.fields.map((field) => [field.number, field]));
  return (
    one.fields.length === other.fields.length &&
    one.fields.every((field) => {
      const found = byNumber.get(field.number);
      if (found === undefined || !isSameField(field, found)) return false;
      const { message } = field;
      return message === undefined || isBuiltAlike(message, found.message ?? message, seen);
    })
  );
}

/** The conversion between two descriptors of the same type. */
export function conversion(from: DescMessage, to: DescMessage): Conversion {
  if (isBuiltAlike(from, to, new Set())) return same;
  return (message) => fromBinary(to, toBinary(from, message));
}
