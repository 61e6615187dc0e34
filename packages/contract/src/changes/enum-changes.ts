// What changed about the values of an enum.
import type { DescEnumValue } from "@bufbuild/protobuf";
import type { Change } from "./change.ts";
import { pairMembers } from "./pair-members.ts";
import type { EnumPair } from "./type-pairs.ts";

function valueId({ parent, name }: DescEnumValue): string {
  return `${parent.typeName}.${name}`;
}

/** What changed in a pair of enums. */
export function enumChanges({ before, after, locations }: EnumPair): readonly Change[] {
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
            locations,
          },
        ]),
    ...removed.map((value) => ({
      kind: "enum-value-removed" as const,
      where: valueId(value),
      what: "removed",
      value,
      locations,
    })),
    ...added.map((value) => ({
      kind: "enum-value-added" as const,
      where: valueId(value),
      what: "added",
      value,
      locations,
    })),
    ...pairs.flatMap(([older, newer]): readonly Change[] => {
      const about = { where: valueId(older), before: older, after: newer, locations };
      return [
        ...(older.name === newer.name
          ? []
          : [{ ...about, kind: "enum-value-renamed" as const, what: `renamed to ${newer.name}` }]),
        ...(older.number === newer.number
          ? []
          : [{ ...about, kind: "enum-value-renumbered" as const, what: `${older.number} became ${newer.number}` }]),
      ];
    }),
  ];
}
