// Field masks over the attributes of one message: which fields to copy (AIP-157, AIP-134).
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

/** The fields that a mask names, in the order of the mask. `*` names all. Throws INVALID_ARGUMENT for a path that is no field. */
export function maskedFields(schema: DescMessage, mask: FieldMask, maskName: string): readonly DescField[] {
  if (mask.paths.length === 1 && mask.paths[0] === "*") return schema.fields;
  return mask.paths.map((path) => {
    const field = schema.fields.find((candidate) => candidate.name === path);
    if (field === undefined) {
      throw new CallError("INVALID_ARGUMENT", `${maskName}: ${schema.name} has no field "${path}"`, {
        violations: [{ field: maskName, description: `${schema.name} has no field "${path}"`, reason: "field_mask" }],
      });
    }
    return field;
  });
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
