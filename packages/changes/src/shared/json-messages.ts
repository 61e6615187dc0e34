// Judges changes of messages, fields and enum values where values have names and no numbers, as in JSON: of a whole body, as in the params of JSON-RPC, and in a
// google.protobuf.Any of a style that has its JSON.
import { isBesideOneof, isReceived, isSent, type FieldChange, type FieldAddedOrRemoved } from "../diff/change.ts";
import { breaks, mayBreak, safe, type Judgement, gravest } from "../judgement.ts";
import { type ChangeTable, judgePresence, inEveryStyle, judgeBy, withoutBindings } from "./change-table.ts";
import { judgeJsonMessage, judgeJsonType, judgeAnyJson, judgeTypeInBody } from "./json-types.ts";
import { judgeAddedField } from "./rules.ts";
import type { DescEnumValue } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { firstOf } from "../diff/contract-changes.ts";

const namesInJson = "JSON has names, not numbers";

function ofOneof(change: FieldChange): Judgement {
  const { after, locations } = change;
  if (isBesideOneof(change)) return mayBreak("callers refuse answers with several members of the oneof");
  const isAlone = after.oneof === undefined || after.oneof.fields.length === 1;
  if (isAlone || !isSent(locations)) return safe("a oneof has no name in JSON");
  return mayBreak("INVALID_ARGUMENT if a request has several members of the oneof");
}

/** Judges a change of a field's presence if servers refuse requests without a required field. */
export function judgeNamedPresence(change: FieldChange): Judgement {
  const { before, after, locations } = change;
  const isRequired = after.presence === Presence.LEGACY_REQUIRED;
  if (before.presence === Presence.LEGACY_REQUIRED && isReceived(locations))
    return mayBreak("earlier callers refuse answers that lack it, which are allowed now");
  return isRequired && isSent(locations) ? breaks("INVALID_ARGUMENT: it is required now") : judgePresence(change);
}

type EnumChanges = Pick<ChangeTable, Extract<keyof ChangeTable, `enum-${string}`>>;

/** Whether it is the name that is written for its number. */
function isFirstName(value: DescEnumValue): boolean {
  return firstOf(value).name === value.name;
}

/** Changes of enum values that are sent by name. @param unknownName what happens to callers that receive an unknown one. */
export function namedEnumValues(unknownName: string, renumbered: string): EnumChanges {
  return {
    "enum-value-added": ({ isAlias, locations }) =>
      !isAlias && isReceived(locations) ? mayBreak(unknownName) : safe("nobody sends it"),
    "enum-value-removed": ({ value, isAlias, locations }) => {
      if (isSent(locations) && isAlias && !isFirstName(value))
        return mayBreak("INVALID_ARGUMENT for callers that write this name of its number");
      if (isSent(locations)) return breaks("INVALID_ARGUMENT: unknown name");
      return isAlias && isFirstName(value)
        ? breaks("its number is written as another name")
        : safe("nobody sends it any more");
    },
    "enum-value-renamed": ({ locations }) => breaks(isSent(locations) ? "INVALID_ARGUMENT: unknown name" : unknownName),
    "enum-value-renumbered": safe(renumbered),
    "enum-value-alias-first": ({ before, after, locations }) => {
      if (isReceived(locations)) return breaks("callers receive another name of its number");
      return before.number === after.number ? safe("its name is still read") : mayBreak("it is read as another value");
    },
    "enum-closed": ({ locations }) =>
      isSent(locations) ? breaks("INVALID_ARGUMENT for a number without a name") : safe("the server sends names only"),
    "enum-opened": ({ locations }) =>
      isReceived(locations) ? mayBreak("callers may receive a number without a name") : safe("the server takes more"),
  };
}

/** Changes whose effect in JSON is the same wherever a style has it. */
export const inJson = {
  ...namedEnumValues("callers receive a name that they do not know", namesInJson),
  "type-moved": judgeJsonMessage,
  "field-added": judgeAddedField,
  "field-renumbered": safe(namesInJson),
  "field-type-changed": judgeJsonType,
  "field-presence-changed": judgeNamedPresence,
  "field-oneof-changed": ofOneof,
} satisfies Partial<ChangeTable>;

function ofRenamed({ before, after, locations }: FieldChange): Judgement {
  if (before.jsonName === after.jsonName) return safe("it keeps its JSON name");
  if (before.jsonName === after.name && !isReceived(locations))
    return safe("servers also read the name in the contract");
  const found = [
    ...(isSent(locations) ? [breaks(`INVALID_ARGUMENT: unknown field ${before.jsonName}`)] : []),
    ...(isReceived(locations) ? [breaks(`answers no longer have ${before.jsonName}`)] : []),
  ];
  return gravest(found, safe("no caller sends or receives it"));
}

export const inJsonBody = {
  ...inEveryStyle,
  ...inJson,
  "field-removed": ({ field, locations }: FieldAddedOrRemoved) =>
    isSent(locations)
      ? breaks(`INVALID_ARGUMENT: unknown field ${field.jsonName}`)
      : mayBreak("calls succeed without it"),
  "field-renamed": ofRenamed,
  "field-type-changed": judgeTypeInBody,
  "field-cardinality-changed": (change: FieldChange) =>
    judgeAnyJson(change) ?? breaks("in JSON, several values are an array and one value is not"),
} as const;

const ofNoMessage = safe("it is of no message");

/** Judges a change of a message that is in an Any as JSON. */
export const judgeInJson = judgeBy({
  ...inJsonBody,
  ...withoutBindings("it is of no message"),
  "operation-removed": ofNoMessage,
  "operation-moved": ofNoMessage,
  "streaming-changed": ofNoMessage,
  "side-effects-changed": ofNoMessage,
});
