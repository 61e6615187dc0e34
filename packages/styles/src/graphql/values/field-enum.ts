// A mask over a flat message as a list of enum values, so that the schema lists the allowed fields and refuses others.
import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { FieldMaskSchema, type FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

function screamed(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
}

/** The enum names of a message's fields by contract name: `vat_number` is `VAT_NUMBER`. */
export function fieldEnumValues({ fields }: DescMessage): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    fields.map(({ name, number }) => {
      const plain = screamed(name).replace(/^_+/, "FIELD_");
      const chosen = taken.has(plain) ? `${plain}_${number}` : plain;
      taken.add(chosen);
      return [name, chosen] as const;
    }),
  );
}

/** A mask's conversions. `encode` throws INVALID_ARGUMENT for unknown paths, with the service's message. */
export interface MaskNames {
  readonly encode: (mask: FieldMask) => readonly string[];
  readonly decode: (names: unknown) => FieldMask;
}

export function maskNames(mask: DescField, message: DescMessage): MaskNames {
  const nameOf = fieldEnumValues(message);
  const pathOf = new Map([...nameOf].map(([path, name]) => [name, path]));
  const fault = (unknown: readonly string[]): CallError => {
    const violations = unknown.map((path) => {
      return { field: mask.name, description: `${message.name} has no field "${path}"`, reason: "field_mask" };
    });
    return new CallError("INVALID_ARGUMENT", `${mask.name}: ${violations[0]?.description ?? ""}`, { violations });
  };
  return {
    encode({ paths }) {
      // The enum has no name for all fields: they are listed.
      if (paths.length === 1 && paths[0] === "*") return [...nameOf.values()];
      const unknown = paths.filter((path) => !nameOf.has(path));
      if (unknown.length > 0) throw fault(unknown);
      return paths.map((path) => nameOf.get(path) ?? "");
    },
    decode(names) {
      if (!Array.isArray(names)) throw new Error(`not a list of names: ${JSON.stringify(names)}`);
      return create(FieldMaskSchema, { paths: names.map((name: string) => pathOf.get(name) ?? name) });
    },
  };
}
