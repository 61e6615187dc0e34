// Enums in GraphQL: names of values, and fields of a read mask.
import { create, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { CallError, memoize } from "@roundtrip/contract";

// GraphQL names of enum values: without the enum's name as prefix, and without the "unspecified" value.

export interface EnumNames {
  readonly nameOf: ReadonlyMap<number, string>;
  readonly numberOf: ReadonlyMap<string, number>;
  /** Whether zero means "not set": null in GraphQL, except where null means absent. */
  readonly hasUnspecified: boolean;
  /** The name of zero where null means absent; undefined if zero is an ordinary value. */
  readonly unspecified: string | undefined;
}

// GraphQL reserves these words.
const refused = new Set(["true", "false", "null"]);

function prefixOf(desc: DescEnum): string {
  return desc.sharedPrefix?.toUpperCase() ?? "";
}

export const enumNames = memoize((desc: DescEnum): EnumNames => {
  const prefix = prefixOf(desc);
  const zero = desc.values.find(({ number }) => number === 0);
  const hasUnspecified = zero !== undefined && desc.values.length > 1 && /(^|_)UNSPECIFIED$/.test(zero.name);
  const nameOf = new Map<number, string>();
  const numberOf = new Map<string, number>();
  const names = new Set(desc.values.map((value) => value.name));
  for (const { name, number } of desc.values) {
    // A second name of a number is an alias: GraphQL has one name per value.
    if ((hasUnspecified && number === 0) || nameOf.has(number)) continue;
    const short = name.startsWith(prefix) ? name.slice(prefix.length) : name;
    const isFree = /^[A-Za-z]/.test(short) && !refused.has(short) && !numberOf.has(short);
    // GraphQL reserves names with two leading underscores.
    let chosen = isFree ? short : name.replace(/^__+/, "_");
    while (refused.has(chosen) || numberOf.has(chosen) || (chosen !== short && chosen !== name && names.has(chosen)))
      chosen += "_";
    nameOf.set(number, chosen);
    numberOf.set(chosen, number);
  }
  const unspecified = hasUnspecified ? (numberOf.has("UNSPECIFIED") ? zero.name : "UNSPECIFIED") : undefined;
  return { nameOf, numberOf, hasUnspecified, unspecified };
});

// A mask over a flat message as a list of enum values, so that the schema lists the allowed fields and refuses others.

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
