// What changed about the values of an enum.
import type { DescEnumValue } from "@bufbuild/protobuf";
import type { Change } from "../change.ts";
import { pairMembers } from "./pair-members.ts";
import type { EnumPair } from "./type-pairs.ts";

function valueId({ parent, name }: DescEnumValue): string {
  return `${parent.typeName}.${name}`;
}

/** What changed in a pair of enums. */
export function enumChanges({ before, after, places }: EnumPair): readonly Change[] {
  const { pairs, removed, added } = pairMembers(before.values, after.values, () => true);
  return [
    ...(before.typeName === after.typeName
      ? []
      : [
          {
            kind: "type-moved" as const,
            where: before.typeName,
            what: `is ${after.typeName} now`,
            before,
            after,
            places,
          },
        ]),
    ...removed.map((value) => ({
      kind: "enum-value-removed" as const,
      where: valueId(value),
      what: "removed",
      value,
      places,
    })),
    ...added.map((value) => ({
      kind: "enum-value-added" as const,
      where: valueId(value),
      what: "added",
      value,
      places,
    })),
    ...pairs.flatMap(([old, young]): readonly Change[] => {
      const about = { where: valueId(old), before: old, after: young, places };
      return [
        ...(old.name === young.name
          ? []
          : [{ ...about, kind: "enum-value-renamed" as const, what: `renamed to ${young.name}` }]),
        ...(old.number === young.number
          ? []
          : [{ ...about, kind: "enum-value-renumbered" as const, what: `${old.number} became ${young.number}` }]),
      ];
    }),
  ];
}
