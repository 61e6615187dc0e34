// Field masks over the attributes of one message: which fields to copy (AIP-157, AIP-134).
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, type FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

/** The fields that a mask names, in the order of the message. A single `*` names all. Throws INVALID_ARGUMENT for unknown paths. */
export function maskedFields(schema: DescMessage, mask: FieldMask, maskName: string): readonly DescField[] {
  if (mask.paths.length === 1 && mask.paths[0] === "*") return schema.fields;
  const { paths } = mask;
  const fields = schema.fields.filter(({ name }) => paths.includes(name));
  // Names are unique, so if there are as many fields as paths, each path is a field.
  if (fields.length === paths.length) return fields;
  const unknown = paths.filter((path) => !schema.fields.some(({ name }) => name === path));
  if (unknown.length > 0) {
    const violations = unknown.map((path) => {
      return { field: maskName, description: `${schema.name} has no field "${path}"`, reason: "field_mask" };
    });
    throw new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
  }
  return fields;
}

type Fields = Record<string, unknown>;

/** A field that is a plain property of the message: without presence, and in no oneof. */
function isPlain({ fieldKind, presence, oneof }: DescField): boolean {
  return fieldKind === "scalar" && presence === Presence.IMPLICIT && oneof === undefined;
}

function reflectField(schema: DescMessage, field: DescField, from: Message, to: Message): void {
  const source = reflect(schema, from, false);
  const target = reflect(schema, to, false);
  if (source.isSet(field)) target.set(field, source.get(field));
  else target.clear(field);
}

/** Copies these fields from one message to another of the same type. */
export function copyFields(schema: DescMessage, fields: readonly DescField[], from: Message, to: Message): void {
  for (const field of fields) {
    if (isPlain(field)) (to as unknown as Fields)[field.localName] = (from as unknown as Fields)[field.localName];
    else reflectField(schema, field, from, to);
  }
}
