// Refuses values that ProtoJSON would silently change, so that no receiver gets another value.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { Any, FieldMask } from "@bufbuild/protobuf/wkt";
import { canContain } from "./json-text.ts";

/** Throws an Error for a value that JSON would change. */
type Check = (value: unknown) => void;

function checkMask(value: unknown): void {
  const { paths } = value as FieldMask;
  // A mask is one text in JSON, with commas between its paths.
  if (paths.some((path) => path === "" || path.includes(","))) {
    throw new Error("a field mask with a path that is empty or has a comma has no spelling in JSON");
  }
}

function checkAny(value: unknown): void {
  const { typeUrl, value: bytes } = value as Any;
  if (typeUrl === "" && bytes.length > 0) throw new Error("bytes of no type have no spelling in JSON");
}

const checks: ReadonlyMap<string, Check> = new Map([
  ["google.protobuf.FieldMask", checkMask],
  ["google.protobuf.Any", checkAny],
]);
const names = new Set(checks.keys());

function valueOf(message: Readonly<Record<string, unknown>>, { oneof, localName }: DescField): unknown {
  if (oneof === undefined) return message[localName];
  const held = message[oneof.localName] as { readonly case?: string; readonly value?: unknown } | undefined;
  return held?.case === localName ? held.value : undefined;
}

function itemsOf(value: unknown, { fieldKind }: DescField): readonly unknown[] {
  if (fieldKind === "list") return value as readonly unknown[];
  return fieldKind === "map" ? Object.values(value as object) : [value];
}

function checkFields(type: DescMessage, known: Map<DescMessage, Check>): Check {
  const before = known.get(type);
  if (before !== undefined) return before;
  let fields: readonly (readonly [DescField, Check])[] = [];
  const check: Check = (message) => {
    for (const [field, checkItem] of fields) {
      const value = valueOf(message as Readonly<Record<string, unknown>>, field);
      if (value !== undefined) for (const item of itemsOf(value, field)) checkItem(item);
    }
  };
  known.set(type, check);
  fields = type.fields.flatMap((field) => {
    const { message } = field;
    if (message === undefined || !canContain(message, names, new Set())) return [];
    return [[field, checks.get(message.typeName) ?? checkFields(message, known)] as const];
  });
  return check;
}

/** Compiles a check of a message type; undefined if the type cannot contain such values. Does not look into an Any. */
export function lostInJson(type: DescMessage): ((message: Message) => void) | undefined {
  if (!canContain(type, names, new Set())) return undefined;
  return checks.get(type.typeName) ?? checkFields(type, new Map());
}
