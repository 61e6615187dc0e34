// Judges changes of fields and enum values where values have names and no numbers, as in JSON.
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { isReceived, isSent, type FieldChange } from "@roundtrip/contract/changes";
import { breaks, mayBreak, safe, type Judgement } from "../../basics/judgement.ts";
import type { ChangeTable } from "./change-table.ts";
import { judgeJsonType } from "./judge-json-type.ts";
import { judgePresence } from "./judge-presence.ts";
import { judgeAddedField } from "./judge-rules.ts";

const namesInJson = "JSON has names, not numbers";

function ofOneof({ after, locations }: FieldChange): Judgement {
  const isAlone = after.oneof === undefined || after.oneof.fields.length === 1;
  if (isAlone || !isSent(locations)) return safe("a oneof has no name in JSON");
  return mayBreak("INVALID_ARGUMENT if a request has several members of the oneof");
}

/** Judges a change of a field's presence if servers refuse requests without a required field. */
export function judgeNamedPresence(change: FieldChange): Judgement {
  const isRequired = change.after.presence === Presence.LEGACY_REQUIRED;
  return isRequired && isSent(change.locations)
    ? breaks("INVALID_ARGUMENT: it is required now")
    : judgePresence(change);
}

type EnumChanges = Pick<ChangeTable, Extract<keyof ChangeTable, `enum-value-${string}`>>;

/** Changes of enum values that are sent by name. @param unknownName what happens to callers that receive an unknown one. */
export function namedEnumValues(unknownName: string, renumbered: string): EnumChanges {
  return {
    "enum-value-added": ({ locations }) =>
      isReceived(locations) ? mayBreak(unknownName) : safe("nobody sends it yet"),
    "enum-value-removed": ({ locations }) =>
      isSent(locations) ? breaks("INVALID_ARGUMENT: unknown name") : safe("nobody sends it any more"),
    "enum-value-renamed": ({ locations }) => breaks(isSent(locations) ? "INVALID_ARGUMENT: unknown name" : unknownName),
    "enum-value-renumbered": safe(renumbered),
  };
}

/** Changes whose effect in JSON is the same wherever a style has it. */
export const inJson = {
  ...namedEnumValues("callers receive a name that they do not know", namesInJson),
  "type-moved": safe("JSON has no type names, except in google.protobuf.Any"),
  "field-added": judgeAddedField,
  "field-renumbered": safe(namesInJson),
  "field-type-changed": judgeJsonType,
  "field-presence-changed": judgeNamedPresence,
  "field-oneof-changed": ofOneof,
} satisfies Partial<ChangeTable>;
