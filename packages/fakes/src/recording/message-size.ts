// Estimates the memory of messages from their type. A log sizes every message of every call, and a generic walk takes ten times longer.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { objectBytes, valueBytes } from "./message-copy.ts";

/** The size of a message; Infinity if it contains bytes or unknown fields. */
export type SizeOf = (message: Message) => number;

type Properties = Readonly<Record<string, unknown>>;
type SizeOfValue = (value: unknown) => number;

const nothing = 0;

function sizeOfAnything(value: unknown): number {
  if (typeof value === "string") return value.length + valueBytes;
  if (typeof value !== "object" || value === null) return valueBytes;
  if (value instanceof Uint8Array) return Infinity;
  return Object.values(value).reduce<number>((sum, one) => sum + sizeOfAnything(one), objectBytes);
}

/** Messages that generated code represents by their values. */
const standsForOther = /^google\.protobuf\.(?:\w*Value|Struct)$/;

function sizeOfOne({ message, scalar }: Pick<DescField, "message"> & { readonly scalar?: unknown }): SizeOfValue {
  if (message !== undefined) {
    if (standsForOther.test(message.typeName)) return sizeOfAnything;
    let size: SizeOf | undefined;
    return (value) => (size ??= sizeIn(message))(value as Message);
  }
  if (scalar === ScalarType.BYTES) return () => Infinity;
  return scalar === ScalarType.STRING ? (value) => (value as string).length + valueBytes : () => valueBytes;
}

/** The additional size of a field's value beyond its slot in the message. */
function sizeOfField(field: DescField): SizeOfValue {
  const one = sizeOfOne(field);
  if (field.fieldKind === "list") {
    return (value) => (value as readonly unknown[]).reduce<number>((sum, item) => sum + one(item), objectBytes);
  }
  if (field.fieldKind !== "map") return one;
  return (value) => {
    const entries = Object.entries(value as Properties);
    return entries.reduce((sum, [key, item]) => sum + key.length + valueBytes + one(item), objectBytes);
  };
}

const known = new WeakMap<DescMessage, SizeOf>();

/** Builds the size function of a message type once. */
export function sizeIn(desc: DescMessage): SizeOf {
  const before = known.get(desc);
  if (before !== undefined) return before;
  const texts: string[] = [];
  const others: (readonly [name: string, size: SizeOfValue])[] = [];
  for (const member of desc.members) {
    const { localName } = member;
    if (member.kind === "oneof") {
      const cases = new Map(member.fields.map((field) => [field.localName, sizeOfField(field)]));
      const size = ({ case: name, value }: { readonly case: string | undefined; readonly value?: unknown }): number =>
        objectBytes + (name === undefined ? nothing : (cases.get(name)?.(value) ?? nothing));
      others.push([localName, size as SizeOfValue]);
    } else if (member.fieldKind === "scalar" && member.scalar === ScalarType.STRING) texts.push(localName);
    else if (member.fieldKind !== "enum" && (member.fieldKind !== "scalar" || member.scalar === ScalarType.BYTES)) {
      others.push([localName, sizeOfField(member)]);
    }
  }
  const fixedBytes = objectBytes + valueBytes * desc.members.length;
  const size: SizeOf = (message) => {
    if (message.$unknown !== undefined) return Infinity;
    let bytes = fixedBytes;
    for (const name of texts) {
      const text = (message as unknown as Properties)[name] as string | undefined;
      if (text !== undefined) bytes += text.length;
    }
    for (const [name, sizeOfValue] of others) {
      const value = (message as unknown as Properties)[name];
      if (value !== undefined) bytes += sizeOfValue(value);
    }
    return bytes;
  };
  known.set(desc, size);
  return size;
}
