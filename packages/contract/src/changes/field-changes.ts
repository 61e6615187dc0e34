// What changed about the fields of a message.
import type { DescField } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { requiresValue } from "../validation/field-rules.ts";
import type { Change, FieldChange } from "./change.ts";
import { hasOwnRules } from "../validation/has-rules.ts";
import { haveSameMessageRules, haveSameRules, rulesText } from "./changed-rules.ts";
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
  const areMessages = before.message !== undefined && after.message !== undefined;
  const isWellKnown = [before, after].some((field) => field.message?.typeName.startsWith("google.protobuf.") === true);
  return (!areMessages || isWellKnown) && valueTypeOf(before).text !== valueTypeOf(after).text;
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
  return field.proto.defaultValue;
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
  const isMoved = before.oneof?.name !== after.oneof?.name;
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
      defaultText(before) === defaultText(after)
        ? undefined
        : `default ${defaultText(before) || "none"} became ${defaultText(after) || "none"}`,
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
      locations: locationsOf(field),
    })),
    ...fields.added.map((field) => ({
      kind: "field-added" as const,
      where: fieldId(field),
      what: addedText(field),
      field,
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
