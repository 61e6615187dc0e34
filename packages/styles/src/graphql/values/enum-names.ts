// The names of an enum's values in GraphQL: without the enum's own name in front, and without the value that only says "not set".
import type { DescEnum } from "@bufbuild/protobuf";

export interface EnumNames {
  readonly nameOf: ReadonlyMap<number, string>;
  readonly numberOf: ReadonlyMap<string, number>;
  /** Zero means "not set": null in GraphQL, except where null says that the field is absent. */
  readonly hasUnspecified: boolean;
  /** The name of zero where null says something else; undefined when zero is a value like any other. */
  readonly unspecified: string | undefined;
}

// GraphQL keeps these words for itself.
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
    // A second name of the same number is an alias: GraphQL has one name for one value.
    if ((hasUnspecified && number === 0) || nameOf.has(number)) continue;
    const short = name.startsWith(prefix) ? name.slice(prefix.length) : name;
    const isFree = /^[A-Za-z]/.test(short) && !refused.has(short) && !numberOf.has(short);
    // GraphQL keeps names that begin with two underscores for itself.
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

/** The names of an enum's values. */
export function enumNames(desc: DescEnum): EnumNames {
  const names = known.get(desc) ?? namesOf(desc);
  known.set(desc, names);
  return names;
}
