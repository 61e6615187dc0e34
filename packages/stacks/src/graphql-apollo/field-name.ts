// A field's name in GraphQL, and field paths between the contract's spelling and GraphQL's.
import type { DescField, DescMessage } from "@bufbuild/protobuf";

/** `vat_number` → `vatNumber`. */
function camelName(name: string): string {
  return name.replaceAll(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function wantedName(field: DescField): string {
  const isAllowed = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(field.jsonName);
  const camel = isAllowed ? field.jsonName : camelName(field.name);
  const name = /^[A-Za-z_]/.test(camel) ? camel : `f${camel}`;
  // graphql-js would take what every JSON object inherits (constructor, toString, …) for a value that the caller gave.
  return name in Object.prototype ? `${name}_` : name;
}

function namesOf({ fields }: DescMessage): ReadonlyMap<DescField, string> {
  const taken = new Set<string>();
  return new Map(
    fields.map((field) => {
      const wanted = wantedName(field);
      const name = taken.has(wanted) ? `${wanted}_${field.number}` : wanted;
      taken.add(name);
      return [field, name] as const;
    }),
  );
}

const known = new WeakMap<DescMessage, ReadonlyMap<DescField, string>>();

/** The name of a field: the contract's JSON name where GraphQL allows it; where two fields want one, the later has its number behind it. */
export function fieldName(field: DescField): string {
  const names = known.get(field.parent) ?? namesOf(field.parent);
  known.set(field.parent, names);
  return names.get(field) ?? "";
}

/** `customer.vatNumber` → `customer.vat_number`. */
export function snakePath(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `customer.vat_number` → `customer.vatNumber`; a path that {@link snakePath} could not restore stays as it is. */
export function camelPath(path: string): string {
  const camel = path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return snakePath(camel) === path ? camel : path;
}
