// What changed between two contracts, as far as callers can see it: one change for each element and aspect.
import type { Contract } from "../descriptors/contract.ts";
import type { Change } from "./change.ts";
import { messageChanges } from "./field-changes.ts";
import { operationChanges } from "./operation-changes.ts";
import { pairTypes, pairMembers, type EnumPair } from "./type-pairs.ts";
import type { DescEnumValue } from "@bufbuild/protobuf";

function valueId({ parent, name }: DescEnumValue): string {
  return `${parent.typeName}.${name}`;
}

function enumChanges({ before, after, locations }: EnumPair): readonly Change[] {
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

export function keyOf({ kind, where, what }: Change): string {
  return `${kind} ${where} ${what}`;
}

/** The changes from one contract to another: operations first, then messages and enums in the order in which operations use them. */
export function contractChanges(before: Contract, after: Contract): readonly Change[] {
  const { pairs, changes } = operationChanges(before, after);
  const { messages, enums } = pairTypes(pairs);
  const all = [
    ...changes,
    ...messages.flatMap((pair) => messageChanges(pair)),
    ...enums.flatMap((pair) => enumChanges(pair)),
  ];
  // Operations may pair one type with several: what those have in common is listed once.
  const byName = new Map(all.map((change) => [keyOf(change), change]));
  return [...byName.values()];
}
