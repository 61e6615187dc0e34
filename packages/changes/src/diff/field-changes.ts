// What changed about the fields of a message.
import { type DescField, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { hasOwnJson, memoize } from "@roundtrip/contract";
import { requiresValue, hasOwnRules } from "@roundtrip/contract/field-rules";
import type { Change, FieldChange } from "./change.ts";
import { haveSameMessageRules, haveSameRules, rulesText } from "./rules.ts";
import type { MessagePair } from "./type-pairs.ts";
import { typeText, valueTypeOf } from "./value-type.ts";

/** Fields have no full name of their own. */
function fieldId({ parent, name }: DescField): string {
  return `${parent.typeName}.${name}`;
}

function cardinality({ fieldKind }: DescField): "one" | "list" | "map" {
  return fieldKind === "list" || fieldKind === "map" ? fieldKind : "one";
}

/** Whether the values differ. Messages are compared field by field, enums value by value. */
function isDifferentType(before: DescField, after: DescField): boolean {
  if (before.fieldKind === "map" && after.fieldKind === "map" && before.mapKey !== after.mapKey) return true;
  if (before.enum !== undefined && after.enum !== undefined) return false;
  if (valueTypeOf(before).wire !== valueTypeOf(after).wire) return true;
  const areMessages = before.message !== undefined && after.message !== undefined;
  const isOfOwnJson = [before, after].some(({ message }) => message !== undefined && hasOwnJson(message));
  return (!areMessages || isOfOwnJson) && valueTypeOf(before).text !== valueTypeOf(after).text;
}

const presences: Readonly<Record<Presence, string>> = {
  [Presence.FIELD_PRESENCE_UNKNOWN]: "of unknown presence",
  [Presence.EXPLICIT]: "optional",
  [Presence.IMPLICIT]: "not optional",
  [Presence.LEGACY_REQUIRED]: "required",
};

/** Whether the presence of the field is fixed: lists, maps, messages. */
function hasNoChoice({ fieldKind }: DescField): boolean {
  return fieldKind !== "scalar" && fieldKind !== "enum";
}

function defaultText(field: DescField): string {
  if (field.fieldKind !== "enum" || field.proto.defaultValue !== "") return field.proto.defaultValue;
  return field.enum.values[0]?.name ?? "";
}

/** Whether fields are in its oneof now that were not, or the reverse. A oneof has no name on the wire. */
function isInOtherOneof(before: DescField, after: DescField): boolean {
  if (before.oneof === undefined || after.oneof === undefined) return before.oneof !== after.oneof;
  return areOtherOneofs(before.oneof)(after.oneof);
}

/** Computed once for two oneofs, which can have thousands of members. */
const areOtherOneofs = memoize((before: DescOneof) =>
  memoize((after: DescOneof): boolean => {
    const numbers = new Set(before.fields.map(({ number }) => number));
    const old = new Set(before.parent.fields.map(({ number }) => number));
    const kept = after.parent.fields.filter(({ number }) => old.has(number));
    return kept.some((field) => numbers.has(field.number) !== (field.oneof === after));
  }),
);

/** Whether absence means the same: for an enum, the same number. Without presence, it is always 0. */
function haveSameDefault(before: DescField, after: DescField): boolean {
  if (before.fieldKind !== "enum" || after.fieldKind !== "enum")
    return before.proto.defaultValue === after.proto.defaultValue;
  const [older, newer] = [before, after].map(
    (field) => field.enum.values.find(({ name }) => name === defaultText(field))?.number,
  );
  return older === newer;
}

function isText(field: DescField): boolean {
  return field.scalar === ScalarType.STRING || (field.fieldKind === "map" && field.mapKey === ScalarType.STRING);
}

type Aspect = readonly [kind: FieldChange["kind"], what: string | undefined];

function aspects(before: DescField, after: DescField): readonly Aspect[] {
  const isOne = cardinality(before) === "one" && cardinality(after) === "one";
  const names =
    before.name === after.name
      ? `is ${after.jsonName} in JSON instead of ${before.jsonName}`
      : `renamed to ${after.name}`;
  const isRenamed = before.name !== after.name || before.jsonName !== after.jsonName;
  const many = { one: "one", list: "repeated", map: "a map" } as const;
  const isMoved = isInOtherOneof(before, after);
  const hasOtherPresence =
    isOne && !isMoved && before.presence !== after.presence && !(hasNoChoice(before) && hasNoChoice(after));
  const isMapInstead = cardinality(before) === "map" || cardinality(after) === "map";
  const isOtherMany = cardinality(before) !== cardinality(after);
  return [
    ["field-renamed", isRenamed ? names : undefined],
    ["field-renumbered", before.number === after.number ? undefined : `${before.number} became ${after.number}`],
    [
      "field-type-changed",
      isDifferentType(before, after) && !(isOtherMany && isMapInstead)
        ? `${typeText(before)} became ${typeText(after)}`
        : undefined,
    ],
    [
      "field-cardinality-changed",
      isOtherMany ? `${many[cardinality(before)]} became ${many[cardinality(after)]}` : undefined,
    ],
    ["field-presence-changed", hasOtherPresence ? `became ${presences[after.presence]}` : undefined],
    [
      "field-oneof-changed",
      isMoved
        ? `moved ${after.oneof === undefined ? `out of oneof ${before.oneof?.name}` : `into oneof ${after.oneof.name}`}`
        : undefined,
    ],
    [
      "field-default-changed",
      haveSameDefault(before, after)
        ? undefined
        : `default ${defaultText(before) || "none"} became ${defaultText(after) || "none"}`,
    ],
    [
      "field-utf8-changed",
      isText(before) && isText(after) && before.utf8Validation !== after.utf8Validation
        ? `text is ${after.utf8Validation ? "refused" : "no longer refused"} if it is no UTF-8`
        : undefined,
    ],
    [
      "field-rules-changed",
      haveSameRules(before, after) ? undefined : `${rulesText(before)} became ${rulesText(after)}`,
    ],
  ];
}

function addedText(field: DescField): string {
  return `added${requiresValue(field) ? ", required" : ""}`;
}

/** What changed in a pair of messages, from their names to their rules. */
export function messageChanges(pair: MessagePair): readonly Change[] {
  const { before, after, fields, locations, locationsOf } = pair;
  const about = { where: before.typeName, before, after, locations };
  return [
    ...(before.typeName === after.typeName
      ? []
      : [{ ...about, kind: "type-moved" as const, what: `is ${after.typeName} now` }]),
    ...(haveSameMessageRules(before, after)
      ? []
      : [
          {
            ...about,
            kind: "message-rules-changed" as const,
            what: hasOwnRules(after) ? "other rules" : "rules removed",
          },
        ]),
    ...fields.removed.map((field) => ({
      kind: "field-removed" as const,
      where: fieldId(field),
      what: "removed",
      field,
      replacement: fields.added.find(({ number }) => number === field.number),
      locations: locationsOf(field),
    })),
    ...fields.added.map((field) => ({
      kind: "field-added" as const,
      where: fieldId(field),
      what: addedText(field),
      field,
      replacement: undefined,
      locations: locationsOf(field),
    })),
    ...fields.pairs.flatMap(([older, newer]) =>
      aspects(older, newer).flatMap(([kind, what]) =>
        what === undefined
          ? []
          : [{ kind, where: fieldId(older), what, before: older, after: newer, locations: locationsOf(older) }],
      ),
    ),
  ];
}
