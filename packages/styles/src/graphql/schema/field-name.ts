// GraphQL names of fields and oneofs, and conversion of field paths.
import { memoize } from "@roundtrip/contract";
import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";

/** `vat_number` → `vatNumber`. */
function camelName(name: string): string {
  return name.replaceAll(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function wantedName(ownName: string, jsonName: string): string {
  const isAllowed = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(jsonName);
  const camel = isAllowed ? jsonName : camelName(ownName);
  const name = /^[A-Za-z_]/.test(camel) ? camel : `f${camel}`;
  // graphql-js would treat inherited members of JSON objects (constructor, toString, …) as values of the caller.
  return name in Object.prototype ? `${name}_` : name;
}

type Names = ReadonlyMap<DescField | DescOneof, string>;

const namesOf = memoize(({ fields, oneofs }: DescMessage): Names => {
  const names = new Map<DescField | DescOneof, string>();
  const taken = new Set<string>();
  for (const field of fields) {
    const wanted = wantedName(field.name, field.jsonName);
    const name = taken.has(wanted) ? `${wanted}_${field.number}` : wanted;
    taken.add(name);
    names.set(field, name);
  }
  for (const oneof of oneofs) {
    let name = wantedName(oneof.name, camelName(oneof.name));
    while (taken.has(name)) name += "_";
    taken.add(name);
    names.set(oneof, name);
  }
  return names;
});

/**
 * The GraphQL name of a field or oneof: the JSON name if GraphQL allows it. If two fields have the same name, the later one gets its number appended.
 * Fields take precedence over oneofs, which have no JSON name.
 */
export function fieldName(member: DescField | DescOneof): string {
  return namesOf(member.parent).get(member) ?? "";
}
