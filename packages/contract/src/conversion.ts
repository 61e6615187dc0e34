// Between messages of generated code and those of a compiled contract: as a rule the same objects. Where names collide, a compiled contract
// gives members other properties than generated code does, and where one of the two is older it has fewer of them.
import { fromBinary, toBinary, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";

/** Makes of a message of one descriptor one of the other; the same object where both are built alike. */
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

/** @param seen types that are looked at already: messages may hold themselves. */
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

/** How messages of one descriptor become those of another that describes the same type. */
export function conversion(from: DescMessage, to: DescMessage): Conversion {
  if (isBuiltAlike(from, to, new Set())) return same;
  return (message) => fromBinary(to, toBinary(from, message));
}
