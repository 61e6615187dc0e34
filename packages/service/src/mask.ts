// Field masks over the attributes of one message: which fields to copy (AIP-157, AIP-134).
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

/** The fields that a mask names, in the order of the message. `*` alone names all. Throws INVALID_ARGUMENT for paths that are no field. */
export function maskedFields(schema: DescMessage, mask: FieldMask, maskName: string): readonly DescField[] {
  if (mask.paths.length === 1 && mask.paths[0] === "*") return schema.fields;
  const unknown = mask.paths.filter((path) => !schema.fields.some(({ name }) => name === path));
  if (unknown.length > 0) {
    const violations = unknown.map((path) => {
      return { field: maskName, description: `${schema.name} has no field "${path}"`, reason: "field_mask" };
    });
    throw new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
  }
  return schema.fields.filter(({ name }) => mask.paths.includes(name));
}

/** Copies these fields from one message to another of the same type. */
export function copyFields(schema: DescMessage, fields: readonly DescField[], from: Message, to: Message): void {
  const source = reflect(schema, from, false);
  const target = reflect(schema, to, false);
  for (const field of fields) {
    if (source.isSet(field)) target.set(field, source.get(field));
    else target.clear(field);
  }
}
