// What changed between two contracts, as far as callers can see it: one change for each element and aspect.
import { type Contract, memoize } from "@roundtrip/contract";
import type { Change } from "./change.ts";
import { messageChanges } from "./field-changes.ts";
import { operationChanges } from "./operation-changes.ts";
import { pairTypes, pairMembers, type EnumPair, type TypePairs } from "./type-pairs.ts";
import { typeText } from "./value-type.ts";
import type { DescEnum, DescEnumValue, DescMessage } from "@bufbuild/protobuf";

function valueId({ parent, name }: DescEnumValue): string {
  return `${parent.typeName}.${name}`;
}

/** The values of an enum by number, the first of several: an enum can have fifty thousand. */
const valuesByNumber = memoize(
  ({ values }: DescEnum): ReadonlyMap<number, DescEnumValue> =>
    new Map(values.toReversed().map((value) => [value.number, value])),
);

/** The value whose name is written for a number: the first that has it. */
export function firstOf(value: DescEnumValue): DescEnumValue {
  return valuesByNumber(value.parent).get(value.number) ?? value;
}

function isFirst(value: DescEnumValue): boolean {
  return firstOf(value) === value;
}

function opennessChange({ before, after, locations }: EnumPair): readonly Change[] {
  if (before.open === after.open) return [];
  const about = { where: before.typeName, before, after, locations };
  return after.open
    ? [{ ...about, kind: "enum-opened", what: "takes numbers without a name now" }]
    : [{ ...about, kind: "enum-closed", what: "refuses numbers without a name now" }];
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
    ...opennessChange({ before, after, locations }),
    ...removed.map((value) => ({
      kind: "enum-value-removed" as const,
      where: valueId(value),
      what: "removed",
      value,
      isAlias: valuesByNumber(after).has(value.number),
      locations,
    })),
    ...added.map((value) => ({
      kind: "enum-value-added" as const,
      where: valueId(value),
      what: "added",
      value,
      isAlias: valuesByNumber(before).has(value.number),
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
        ...(!isFirst(older) || isFirst(newer)
          ? []
          : [
              {
                ...about,
                kind: "enum-value-alias-first" as const,
                what: `is written as ${firstOf(newer).name}, the first name of ${newer.number}`,
              },
            ]),
      ];
    }),
  ];
}

function fieldsText({ fields }: DescMessage): string {
  const texts = fields.map((field) => `${field.number} ${field.name} ${typeText(field)}`);
  return texts.toSorted().join();
}

function typesInAny(
  removed: readonly DescMessage[],
  added: readonly DescMessage[],
  locations: TypePairs["anyLocations"],
): readonly Change[] {
  const left = new Set(added);
  const byFields = Map.groupBy(added.toReversed(), fieldsText);
  const gone = removed.map((type) => {
    const replacement = byFields.get(fieldsText(type))?.pop();
    if (replacement !== undefined) left.delete(replacement);
    const what = `${replacement === undefined ? "removed" : `is ${replacement.typeName} now`}, and may be in an Any`;
    return { kind: "type-removed" as const, where: type.typeName, what, type, replacement, locations };
  });
  const what = "added, and may be in an Any";
  const come = [...left].map((type) => ({ where: type.typeName, what, type, replacement: undefined, locations }));
  return [...gone, ...come.map((type) => ({ ...type, kind: "type-added" as const }))];
}

export function keyOf({ kind, where, what }: Change): string {
  return `${kind} ${where} ${what}`;
}

/** The changes from one contract to another: operations first, then messages and enums in the order in which operations use them. */
export function contractChanges(before: Contract, after: Contract): readonly Change[] {
  const { pairs, changes } = operationChanges(before, after);
  const { messages, enums, removed, added, anyLocations } = pairTypes(pairs, before, after);
  const all = [
    ...changes,
    ...messages.flatMap((pair) => messageChanges(pair)),
    ...enums.flatMap((pair) => enumChanges(pair)),
    ...typesInAny(removed, added, anyLocations),
  ];
  // Operations may pair one type with several: what those have in common is listed once.
  const byName = new Map(all.map((change) => [keyOf(change), change]));
  return [...byName.values()];
}
