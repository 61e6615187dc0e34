// GraphQL names of enum values: without the enum's name as prefix, and without the "unspecified" value.
import type { DescEnum } from "@bufbuild/protobuf";

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

function namesOf(desc: DescEnum): EnumNames {
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
}

const known = new WeakMap<DescEnum, EnumNames>();

export function enumNames(desc: DescEnum): EnumNames {
  const names = known.get(desc) ?? namesOf(desc);
  known.set(desc, names);
  return names;
}
